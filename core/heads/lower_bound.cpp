#include "core/heads/lower_bound.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/choice.hpp"
#include "core/features/gauge.hpp"
#include "core/heads/isometric.hpp"
#include "core/heads/rational_elimination.hpp"
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
        const Index rank = rational_rank(form_matrix<Rational>(P, x));
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

}  // namespace attest
