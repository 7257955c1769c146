#include "core/solve/reference.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/exact/scalars.hpp"
#include "core/features/cubic.hpp"
#include "core/solve/scaled_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {

namespace {

using Wide = MatrixOf<Real50>;

constexpr Index kLargestPsi = 300;

/// Pivots below this share of the diagonal are rounding of the 50 digits, or nearly so.
const Real50 kSmallestPivot("1e-40");

struct WideProblem {
    Wide H;  ///< N×ψ
    Wide Y;  ///< N×o
};

WideProblem wide_problem(const MomentSource& source) {
    MomentBatchOf<Real50> batch;
    if (const Dataset* const data = source.dataset(); data != nullptr) {
        batch = sequence_moments<Real50>(*data, 0, data->num_sequences());
    } else {
        const MomentBatch all = collect(source);
        batch = {all.S.cast<Real50>(), all.z.cast<Real50>(), all.y.cast<Real50>()};
    }
    return {feature_columns<Real50>(batch).transpose(), batch.y.transpose()};
}

/// Lower triangle of A Aᵀ.
Wide gram(const Wide& A) {
    Wide G = Wide::Zero(A.rows(), A.rows());
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j <= i; ++j) {
            Real50 sum = 0;
            for (Index k = 0; k < A.cols(); ++k) {
                sum += A(i, k) * A(j, k);
            }
            G(i, j) = sum;
        }
    }
    return G;
}

/// Overwrites the lower triangle of A by its Cholesky factor; the least pivot as a share of its
/// diagonal entry, or 0 where one is not positive.
Real50 factor(Wide& A) {
    Real50 least = 1;
    for (Index j = 0; j < A.rows(); ++j) {
        const Real50 diagonal = A(j, j);
        for (Index k = 0; k < j; ++k) {
            A(j, j) -= A(j, k) * A(j, k);
        }
        if (A(j, j) <= 0) {
            return 0;
        }
        least = std::min<Real50>(least, A(j, j) / diagonal);
        A(j, j) = sqrt(A(j, j));
        for (Index i = j + 1; i < A.rows(); ++i) {
            for (Index k = 0; k < j; ++k) {
                A(i, j) -= A(i, k) * A(j, k);
            }
            A(i, j) /= A(j, j);
        }
    }
    return least;
}

Wide solve(const Wide& L, Wide B) {
    for (Index c = 0; c < B.cols(); ++c) {
        for (Index i = 0; i < L.rows(); ++i) {
            for (Index k = 0; k < i; ++k) {
                B(i, c) -= L(i, k) * B(k, c);
            }
            B(i, c) /= L(i, i);
        }
        for (Index i = L.rows() - 1; i >= 0; --i) {
            for (Index k = i + 1; k < L.rows(); ++k) {
                B(i, c) -= L(k, i) * B(k, c);
            }
            B(i, c) /= L(i, i);
        }
    }
    return B;
}

Wide product_with_transposed(const Wide& A, const Wide& B) {
    Wide C = Wide::Zero(A.cols(), B.cols());
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < A.cols(); ++j) {
            for (Index c = 0; c < B.cols(); ++c) {
                C(j, c) += A(i, j) * B(i, c);
            }
        }
    }
    return C;
}

/// Squares of the norm's weights, exactly: 1, and 1/2 for pairs in the symmetric norm.
Wide squared_weights(Index d, Norm norm) {
    const Vector w = norm_weights(d, norm);
    return w.unaryExpr([](double x) { return x < 1.0 ? 0.5 : 1.0; }).cast<Real50>();
}

/// The solution and the least pivot behind it, 0 where the matrix is not positive definite.
struct WideSolution {
    Wide P;
    Real50 least_pivot;
};

WideSolution solve_primal(const WideProblem& problem, const Wide& weights, const Real50& ridge) {
    Wide A = gram(problem.H.transpose());
    for (Index i = 0; i < A.rows(); ++i) {
        A(i, i) += ridge * weights(i, 0);
    }
    const Real50 least = factor(A);
    if (least < kSmallestPivot) {
        return {Wide(), least};
    }
    return {solve(A, product_with_transposed(problem.H, problem.Y)), least};
}

WideSolution solve_dual(const WideProblem& problem, const Wide& weights) {
    Wide scaled = problem.H;
    for (Index i = 0; i < scaled.cols(); ++i) {
        scaled.col(i) /= sqrt(weights(i, 0));
    }
    Wide K = gram(scaled);
    const Real50 least = factor(K);
    if (least < kSmallestPivot) {
        return {Wide(), least};
    }
    Wide P = product_with_transposed(problem.H, solve(K, problem.Y));
    for (Index i = 0; i < P.rows(); ++i) {
        P.row(i) /= weights(i, 0);
    }
    return {P, least};
}

/// The coefficients of scaled tokens and labels in double, so that none of size 1 vanishes.
Matrix scaled_coefficients(const Wide& P, const PowerScale& scale) {
    if (scale.is_identity()) {
        return P.cast<double>();
    }
    const std::vector<int> exponents = scale.features();
    Matrix result(P.rows(), P.cols());
    for (Index p = 0; p < P.rows(); ++p) {
        for (Index a = 0; a < P.cols(); ++a) {
            const int shift = exponents[static_cast<std::size_t>(p)] - scale.labels;
            result(p, a) = static_cast<double>(Real50(ldexp(P(p, a), shift)));
        }
    }
    return result;
}

}  // namespace

LeastSquaresFit fit_reference(const MomentSource& source, const SolveOptions& options) {
    const SourceShape shape = source.shape();
    const Index psi = feature_dim(shape.d);
    if (psi > kLargestPsi) {
        return refusal(
            "reference",
            concat("psi = ", psi, " > ", kLargestPsi, ": 50 digits would take too long"));
    }
    const WideProblem problem = wide_problem(source);
    const Wide weights = squared_weights(shape.d, options.norm);
    const bool primal = shape.num_examples >= psi || options.ridge > 0.0;
    const WideSolution solution =
        primal ? solve_primal(problem, weights, Real50(options.ridge) * shape.num_examples)
               : solve_dual(problem, weights);
    if (solution.P.size() == 0) {
        return refusal("reference", "the features are deficient to 50 digits");
    }
    LeastSquaresFit fit;
    fit.solver = "reference";
    const Dataset* const data = source.dataset();
    const PowerScale scale =
        data != nullptr ? power_scale(*data, ScaleBy::coordinate) : PowerScale{};
    fit.P = scaled_coefficients(solution.P, scale);
    fit.rank = options.ridge > 0.0 ? -1 : std::min(psi, shape.num_examples);
    fit.status = primal ? SolveStatus::unique : SolveStatus::minimum_norm;
    const auto pivot = static_cast<double>(solution.least_pivot);
    fit.rcond = std::sqrt(pivot);
    fit.error_bound = gamma_bound(1) + static_cast<double>(psi) * 1e-50 / pivot;
    if (!fit.P.allFinite()) {
        return refusal("reference", "coefficients beyond the largest double");
    }
    fit = unscaled(std::move(fit), scale);
    // Every coefficient was rounded by itself: no norm of them is off by more.
    fit.error_bound = fit.scaled ? fit.scaled->error_bound : fit.error_bound;
    return fit;
}

}  // namespace attest
