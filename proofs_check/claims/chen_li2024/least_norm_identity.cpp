#include "core/algebra/lapack.hpp"
#include "core/base/text.hpp"
#include "core/softmax/hull.hpp"
#include "proofs_check/claims/chen_li2024/statements.hpp"
#include "proofs_check/exact/rational_algebra.hpp"

#include <algorithm>

namespace attest::chen_li2024 {

namespace {

// A backward stable solution in n dimensions is off by about n·ε·κ² at most; LAPACK's test programs
// allow 30 times that (LAWN 41).
constexpr double kRatioBound = 30.0;

/// Θ_m less its projection on the differences Θ_i − Θ_m: the point of least norm, over Q.
RationalVector least_norm_point(const RationalMatrix& thetas) {
    const Index m = thetas.cols();
    RationalVector last = thetas.col(m - 1);
    if (m == 1) {
        return last;
    }
    RationalMatrix D(thetas.rows(), m - 1);
    for (Index i = 0; i + 1 < m; ++i) {
        D.col(i) = thetas.col(i) - last;
    }
    const RationalMatrix gram = D.transpose() * D;
    return last - D * (rational_inverse(gram) * (D.transpose() * last));
}

RationalVector mean_point(const RationalMatrix& thetas) {
    return thetas.rowwise().sum() / Rational(thetas.cols());
}

bool margins_equal(const RationalMatrix& thetas, const RationalVector& x) {
    const Rational square = x.dot(x);
    for (Index i = 0; i < thetas.cols(); ++i) {
        if (Rational(x.dot(RationalVector(thetas.col(i)))) != square) {
            return false;
        }
    }
    return true;
}

/// How far core's hull is from the exact point, in units of n·ε·κ².
double hull_ratio(const RationalMatrix& thetas, const RationalVector& x) {
    const Matrix points = thetas.cast<double>();
    Matrix homogeneous(points.rows() + 1, points.cols());
    homogeneous << points, Matrix::Ones(1, points.cols());
    const Vector sigma = singular_values(homogeneous);
    const double condition = sigma(0) / sigma(sigma.size() - 1);
    const Vector exact = x.cast<double>();
    return (affine_hull(points).x0 - exact).norm() /
           (static_cast<double>(points.rows()) * 0x1p-52 * condition * condition * points.norm());
}

/// A point of the heads' affine hull, in words and as a function of them.
struct HullPoint {
    std::string words;
    RationalVector (*of)(const RationalMatrix& thetas);
};

Evidence test_least_norm_identity(const ClaimContext& context) {
    Evidence evidence;
    const Index draws = context.pick(36, 360);
    std::vector<RationalMatrix> layers;
    for (Index i = 0; i < draws; ++i) {
        const Index d = 2 + i % 3;
        layers.push_back(random_integers(d * d, 1 + i % 4, 99, context.stream.child(i)));
    }
    const SharedTest margins(
        evidence,
        [&](const HullPoint& point) {
            Index equal = 0;
            for (const RationalMatrix& thetas : layers) {
                equal += margins_equal(thetas, point.of(thetas)) ? 1 : 0;
            }
            return Answer{equal == draws,
                          formatted("x = {}: <x, Theta_i> = |x|^2 over the rationals for every "
                                    "head of {} of {} layers of 1 to 4 integer heads, d = 2 to 4",
                                    point.words,
                                    equal,
                                    draws)};
        },
        kSampled);
    const SharedTest computed(
        evidence,
        [&](const HullPoint& point) {
            double ratio = 0.0;
            for (const RationalMatrix& thetas : layers) {
                ratio = std::max(ratio, hull_ratio(thetas, point.of(thetas)));
            }
            return Answer{ratio < kRatioBound,
                          formatted("core's hull starts from {}, up to {} roundings times the "
                                    "square of its condition number",
                                    point.words,
                                    ratio)};
        },
        "double");
    const HullPoint least{"the point of least norm", least_norm_point};
    const HullPoint mean{"the mean of the heads", mean_point};
    margins.check(Form::tested, least);
    margins.control(mean);
    computed.check(Form::tested, least);
    computed.control(mean);
    return evidence;
}

}  // namespace

Claim least_norm_identity() {
    return {
        .id = "chen_li2024/least_norm_identity",
        .paper = "arXiv 2402.04084",
        .place = "Third phase",
        .printed = kNotAtHand,
        .tested =
            "the point x of least norm of the affine hull of the Theta_i has <x, Theta_i> = "
            "|x|^2 for every i",
        .deviation = "the summary names the point of least norm; the identity is why it works",
        .method = Method::exact,
        .explain =
            "x is orthogonal to every direction Theta_i - x of the hull. Hence a row on which x "
            "has a large margin has the same margin in every head, up to Theta_i - x: x is the "
            "proxy by which rows are chosen on which all heads look at one token.",
        .run = test_least_norm_identity,
    };
}

}  // namespace attest::chen_li2024
