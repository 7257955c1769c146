#include "core/heads/lower_bound.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/isometric.hpp"
#include "core/rng/sample.hpp"

#include <algorithm>
#include <limits>

namespace attest {

namespace {

constexpr Choices<LowerBoundProof, 2> kLowerBoundProofNames{
    {{LowerBoundProof::rank, "rank"}, {LowerBoundProof::inertia, "inertia"}}};

Vector random_unit(Index size, const Stream& stream) {
    const Vector v = grid_matrix(grid_normal(), size, 1, stream);
    const double norm = v.norm();
    return norm > 0.0 ? Vector(v / norm) : Vector(Vector::Unit(size, 0));
}

/// Uniform integers in −9 … 9.
VectorOf<Rational> random_integers(Index size, const Stream& stream) {
    Draws draws(stream);
    VectorOf<Rational> v(size);
    for (Index i = 0; i < size; ++i) {
        v(i) = Rational(static_cast<long>(draws.below(19)) - 9);
    }
    return v;
}

Vector to_double(const VectorOf<Rational>& v) {
    Vector result(v.size());
    for (Index i = 0; i < v.size(); ++i) {
        result(i) = v(i).convert_to<double>();
    }
    return result;
}

/// The smallest of the values above the threshold, 0 if there is none.
double smallest_above(const Vector& values, double threshold) {
    double margin = std::numeric_limits<double>::infinity();
    for (const double value : values) {
        if (value > threshold) {
            margin = std::min(margin, value);
        }
    }
    return std::isfinite(margin) ? margin : 0.0;
}

void keep_larger(HeadLowerBound& best, const HeadLowerBound& candidate) {
    const bool wider = candidate.num_heads == best.num_heads && candidate.margin > best.margin;
    if (candidate.num_heads > best.num_heads || wider) {
        best = candidate;
    }
}

/// Row of a non-zero entry of column j at or below row `from`, or −1.
Index pivot_row(const MatrixOf<Rational>& A, Index from, Index j) {
    for (Index i = from; i < A.rows(); ++i) {
        if (!A(i, j).is_zero()) {
            return i;
        }
    }
    return -1;
}

/// Brings a non-zero entry to (k,k) by a congruence; false when the trailing block is zero.
bool bring_pivot(MatrixOf<Rational>& S, Index k) {
    for (Index i = k; i < S.rows(); ++i) {
        if (!S(i, i).is_zero()) {
            S.row(i).swap(S.row(k));
            S.col(i).swap(S.col(k));
            return true;
        }
    }
    for (Index i = k; i < S.rows(); ++i) {
        const Index j = pivot_row(S, k, i);
        if (j >= 0) {
            // Both diagonal entries vanish: adding row and column j to i puts 2 S_ij at (i,i).
            S.row(i) += S.row(j).eval();
            S.col(i) += S.col(j).eval();
            return bring_pivot(S, k);
        }
    }
    return false;
}

/// The orthogonal complement of the columns of A (orthonormal).
Matrix complement(const Matrix& A) {
    Matrix stacked(A.rows(), A.cols() + A.rows());
    stacked << A, Matrix::Identity(A.rows(), A.rows());
    return thin_qr(stacked).Q.rightCols(A.rows() - A.cols());
}

}  // namespace

std::string_view to_string(LowerBoundProof proof) {
    return name_of(kLowerBoundProofNames, proof);
}

HeadLowerBound head_lower_bound(
    const Matrix& P, Index d, double tolerance, Index draws, const Stream& stream) {
    const double norm = coefficient_norm(P, d, Norm::sym);
    HeadLowerBound best;
    if (!(norm > 0.0)) {
        return best;
    }
    // Forming M(x) and its singular values costs about d² roundings of relative size ε each.
    const double rounding = static_cast<double>(8 * d * d) * std::numeric_limits<double>::epsilon();
    const double threshold = (tolerance + rounding) * norm;
    for (Index i = 0; i < draws; ++i) {
        const Vector x = random_unit(d, stream.child("x").child(i));
        const Vector sigma = singular_values(form_matrix<double>(P, x));
        const Index rank = (sigma.array() > threshold).count();
        keep_larger(
            best,
            {rank, LowerBoundProof::rank, x, Vector(), smallest_above(sigma, threshold) / norm});
        const Vector u = random_unit(P.cols(), stream.child("u").child(i));
        const Vector w = random_unit(d, stream.child("w").child(i));
        const Vector lambda = symmetric_eigenvalues(contracted_form<double>(P, u, w));
        for (const Vector& side : {Vector(lambda), Vector(-lambda)}) {
            const Index count = (side.array() > threshold).count();
            keep_larger(
                best,
                {count, LowerBoundProof::inertia, u, w, smallest_above(side, threshold) / norm});
        }
    }
    return best;
}

HeadLowerBound exact_head_lower_bound(const MatrixOf<Rational>& P,
                                      Index d,
                                      Index draws,
                                      const Stream& stream) {
    HeadLowerBound best;
    for (Index i = 0; i < draws; ++i) {
        const VectorOf<Rational> x = random_integers(d, stream.child("x").child(i));
        const Index rank = elimination_rank(form_matrix<Rational>(P, x));
        keep_larger(best, {rank, LowerBoundProof::rank, to_double(x), Vector(), 0.0});
        const VectorOf<Rational> u = random_integers(P.cols(), stream.child("u").child(i));
        const VectorOf<Rational> w = random_integers(d, stream.child("w").child(i));
        const Inertia inertia = rational_inertia(contracted_form<Rational>(P, u, w));
        keep_larger(best,
                    {std::max(inertia.positive, inertia.negative),
                     LowerBoundProof::inertia,
                     to_double(u),
                     to_double(w),
                     0.0});
    }
    return best;
}

Index head_dimension(Index d, Index o, Index num_heads) {
    require(d >= 1 && o >= 1 && num_heads >= 0, "head_dimension: a size is out of range");
    const Index H = std::min({num_heads, o * d, d * d});
    const Index all = o * feature_dim(d);
    if (o == 1) {
        return std::min(all, H * (d - H) + d * (packed_dim(d) - packed_dim(d - H)));
    }
    return std::min(all, H * (o * d + d * d) - H * H);
}

Index counting_bound(Index d, Index o) {
    require(d >= 1 && o >= 1, "counting_bound: a size is out of range");
    Index H = 0;
    while (head_dimension(d, o, H) < o * feature_dim(d)) {
        ++H;
    }
    return H;
}

Index linear_head_count(Index d, Index o) {
    require(d >= 1 && o >= 1, "linear_head_count: a size is out of range");
    if (o == 1) {
        return d;
    }
    return std::min(packed_dim(d), (o * (d + 1) + 1) / 2);
}

Index elimination_rank(MatrixOf<Rational> A) {
    Index rank = 0;
    for (Index j = 0; j < A.cols() && rank < A.rows(); ++j) {
        const Index pivot = pivot_row(A, rank, j);
        if (pivot < 0) {
            continue;
        }
        A.row(pivot).swap(A.row(rank));
        for (Index i = rank + 1; i < A.rows(); ++i) {
            const Rational factor = A(i, j) / A(rank, j);
            for (Index c = j; c < A.cols(); ++c) {
                A(i, c) -= factor * A(rank, c);
            }
        }
        ++rank;
    }
    return rank;
}

Inertia rational_inertia(MatrixOf<Rational> S) {
    require(S.rows() == S.cols(), "rational_inertia: the matrix is not square");
    Inertia inertia;
    for (Index k = 0; k < S.rows() && bring_pivot(S, k); ++k) {
        ++(S(k, k).sign() > 0 ? inertia.positive : inertia.negative);
        for (Index i = k + 1; i < S.rows(); ++i) {
            const Rational factor = S(i, k) / S(k, k);
            for (Index j = k + 1; j < S.cols(); ++j) {
                S(i, j) -= factor * S(k, j);
            }
        }
        S.col(k).tail(S.rows() - k - 1).setZero();
        S.row(k).tail(S.rows() - k - 1).setZero();
    }
    return inertia;
}

double tangent_condition(const Matrix& W, Index d, Index num_heads) {
    const Svd decomposition = svd(W);
    const Matrix U = decomposition.U.leftCols(num_heads);
    const Matrix V = decomposition.V.leftCols(num_heads);
    const Matrix outside = complement(U);
    const Matrix all_right(Matrix::Identity(W.cols(), W.cols()));
    const Index o = W.rows() / d;
    // Orthonormal basis of the tangent space: u_i e_jᵀ and n_k v_hᵀ, n_k outside the column space
    // of W.
    Matrix J(feature_dim(d) * o, num_heads * (W.cols() + outside.cols()));
    if (J.cols() > J.rows()) {
        return std::numeric_limits<double>::infinity();
    }
    Index at = 0;
    const Vector weights = norm_weights(d, Norm::sym);
    const auto add = [&](const Vector& left, const Vector& right) {
        const Matrix tangent = left * right.transpose();
        const Matrix p = weights.asDiagonal() * coefficients_of_tensor<double>(tangent, d);
        J.col(at++) = p.reshaped();
    };
    for (Index h = 0; h < num_heads; ++h) {
        for (Index j = 0; j < W.cols(); ++j) {
            add(U.col(h), all_right.col(j));
        }
        for (Index k = 0; k < outside.cols(); ++k) {
            add(outside.col(k), V.col(h));
        }
    }
    return 1.0 / singular_values(J).minCoeff();
}

}  // namespace attest
