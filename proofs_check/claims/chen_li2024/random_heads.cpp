#include "core/base/text.hpp"
#include "core/softmax/diagnostics.hpp"
#include "proofs_check/claims/chen_li2024/statements.hpp"
#include "tasks/softmax_attention.hpp"

#include <algorithm>
#include <cmath>

namespace attest::chen_li2024 {

namespace {

constexpr Index kHeads = 3;

struct Extremes {
    double cosine = 0.0;
    double sigma = 1.0;
    double weight = 1.0;
};

Extremes extremes(ThetaKind kind, Index d, Index draws, const Stream& stream) {
    Extremes found;
    for (Index i = 0; i < draws; ++i) {
        SoftmaxTeacherOptions options;
        options.d = d;
        options.heads = kHeads;
        options.theta = kind;
        options.value = ValueKind::orthogonal;
        const NonDegeneracy one = non_degeneracy(softmax_teacher(options, stream.child(i)), 2);
        found.cosine = std::max(found.cosine, one.largest_cosine);
        found.sigma = std::min(found.sigma, one.theta_sigma);
        found.weight = std::min(found.weight, one.proxy_weight);
    }
    return found;
}

/// Deviation t with 7·layers·exp(−t²/2) = 10⁻⁶, for all layers of the claim: three pairs' cosines
/// of either sign, and σ.
double deviation(Index layers) {
    return std::sqrt(2.0 * std::log(7e6 * static_cast<double>(layers)));
}

/// Dimensions that are tried, from 16 on.
constexpr Index kDimensions = 3;

/// Accepted: layers of this kind stay within the bounds for dense ones.
Answer is_nearly_orthogonal(ThetaKind kind, Index d, Index draws, const Stream& stream) {
    // A cap of the sphere in R^n has measure at most exp(−n s²/2) (Ball 1997, lemma 2.2); then
    // the Gram matrix differs from I by at most (m−1)s in every norm that sums rows.
    const double cosine = deviation(kDimensions * draws) / static_cast<double>(d);
    const double off = static_cast<double>(kHeads - 1) * cosine;
    const double sigma = std::sqrt(std::max(0.0, 1.0 - off));
    const Extremes found = extremes(kind, d, draws, stream);
    // G⁻¹1 = 1 − E1 + … has positive entries once the row sums of E stay below ½.
    const bool weights = off >= 0.5 || found.weight > 0.0;
    return {found.cosine <= cosine && found.sigma >= sigma && weights,
            formatted("{}, d = {}, {} layers of {} heads: largest cosine {}, least sigma {}, least "
                      "proxy weight {}; bounds {}, {}{}",
                      name_of(kThetaKinds, kind),
                      d,
                      draws,
                      kHeads,
                      found.cosine,
                      found.sigma,
                      found.weight,
                      cosine,
                      sigma,
                      off < 0.5 ? ", 0" : "")};
}

Evidence test_random_heads(const ClaimContext& context) {
    Evidence evidence;
    const Index draws = context.pick(10, 100);
    const SharedTest orthogonal(evidence, is_nearly_orthogonal, "double");
    for (Index d = 16; d <= context.pick(32, 64); d *= 2) {
        const Stream stream = context.stream.child("dense").child(d);
        orthogonal.check(Form::tested, ThetaKind::dense, d, draws, stream);
    }
    orthogonal.control(ThetaKind::diagonal, 16, draws, context.stream.child("diagonal"));
    return evidence;
}

}  // namespace

Claim random_heads() {
    return {
        .id = "chen_li2024/random_heads",
        .paper = "arXiv 2402.04084",
        .place = "Non-degeneracy",
        .printed = kNotAtHand,
        .tested =
            "random dense Theta_i, m = 3, are nearly orthogonal: cosines below t/d, sigma_m of the "
            "unit Theta_i above sqrt(1 - (m-1)t/d), and their proxy a convex combination once "
            "(m-1)t/d < 1/2, with t = sqrt(2 log(7e6 layers)): the margin grows with d",
        .deviation =
            "the paper's conditions were not seen; these numbers are our definition of them",
        .method = Method::statistical,
        .false_alarm = kFalseAlarm,
        .explain =
            "Directions of d^2 independent normals are uniform on the sphere, up to the grid they "
            "are drawn on. Diagonal heads have only d entries and cosines of size 1/sqrt d.",
        .run = test_random_heads,
    };
}

}  // namespace attest::chen_li2024
