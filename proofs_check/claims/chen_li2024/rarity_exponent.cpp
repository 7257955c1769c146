#include "core/base/text.hpp"
#include "core/softmax/diagnostics.hpp"
#include "proofs_check/claims/chen_li2024/statements.hpp"
#include "tasks/softmax_attention.hpp"

#include <cmath>

namespace attest::chen_li2024 {

namespace {

constexpr double kWide = 0.1;
constexpr double kNarrow = 0.02;

/// −log of the level of one of two sides at one of three sizes, 10⁻⁶ in all.
const double kEvidence = -std::log(1e-6 / 6.0);

struct Size {
    Index k;
    Index m;
    Index examples;  ///< of the quick profile: the rarer, the more

    [[nodiscard]] double exponent() const { return static_cast<double>((m - 1) * (k - 1)); }
};

/// Rows that agree within kWide and, of those, within kNarrow.
struct Counts {
    double wide;
    double narrow;
    double group;  ///< rows of one sequence, which are not independent

    [[nodiscard]] double slope() const {
        return std::log(narrow / wide) / std::log(kNarrow / kWide);
    }

    /// The Chernoff exponent of a share as far from that of a power law with this exponent: wide
    /// times the divergence of the two coins, divided by the size of the groups of dependent rows
    /// (Janson 2004, "Large deviations for sums of partly dependent random variables").
    [[nodiscard]] double evidence_against(double exponent) const {
        const double p = narrow / wide;
        const double q = std::pow(kNarrow / kWide, exponent);
        const double divergence = p * std::log(p / q) + (1.0 - p) * std::log((1.0 - p) / (1.0 - q));
        return wide * divergence / group;
    }

    /// Whether the exponent lies within ½ of this number, at that level.
    [[nodiscard]] bool near(double exponent) const {
        return std::abs(slope() - exponent) < 0.5 && evidence_against(exponent - 0.5) > kEvidence &&
               evidence_against(exponent + 0.5) > kEvidence;
    }

    /// Whether it does not, at the same level.
    [[nodiscard]] bool far(double exponent) const {
        const double edge = slope() > exponent ? exponent + 0.5 : exponent - 0.5;
        return std::abs(slope() - exponent) > 0.5 && evidence_against(edge) > kEvidence;
    }
};

Counts counts(const Size& size, Index examples, const Stream& stream) {
    SoftmaxAttentionOptions options;
    options.k = size.k;
    options.teacher.d = 4;
    options.teacher.heads = size.m;
    const SoftmaxAttention task(options, stream);
    const Rarity rarity =
        agreement(task.heads(), softmax_source(task, 0, examples), {kWide, kNarrow});
    return {static_cast<double>(rarity.agreeing[0]),
            static_cast<double>(rarity.agreeing[1]),
            static_cast<double>(size.k)};
}

/// Accepted: the counts fall like a power near this one.
Answer falls_like(const Size& size, Index examples, const Counts& found, double exponent) {
    return {found.near(exponent),
            formatted("k = {}, m = {}, {} sequences: {} rows within {}, {} within {}, slope {}, "
                      "within 1/2 of {}",
                      size.k,
                      size.m,
                      examples,
                      found.wide,
                      kWide,
                      found.narrow,
                      kNarrow,
                      found.slope(),
                      exponent)};
}

Evidence test_rarity_exponent(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest power(evidence, falls_like, "double");
    for (const Size size : {Size{2, 2, 20000}, Size{2, 3, 120000}, Size{3, 2, 150000}}) {
        const Index examples = context.pick(size.examples, 1000000);
        const Counts found = counts(size, examples, context.stream.child(size.k).child(size.m));
        for (const Form form : {Form::tested, Form::control}) {
            const double exponent = size.exponent() + (form == Form::control ? 1.0 : 0.0);
            if (!found.near(exponent) && !found.far(exponent)) {
                evidence.undecided(
                    form,
                    falls_like(size, examples, found, exponent).text + ", too few rows to tell",
                    "double");
            } else if (form == Form::control) {
                power.control(size, examples, found, exponent);
            } else {
                power.check(form, size, examples, found, exponent);
            }
        }
    }
    return evidence;
}

}  // namespace

Claim rarity_exponent() {
    return {
        .id = "chen_li2024/rarity_exponent",
        .paper = "arXiv 2402.04084",
        .place = "Second phase",
        .printed = kNotAtHand,
        .tested =
            "P(all heads agree to within eps on a row) falls between eps = 0.1 and 0.02 like a "
            "power of eps that is within 1/2 of (m-1)(k-1)",
        .deviation =
            "the exponent is ours; the paper's running time (dk)^O(m^3) was seen only as a "
            "statement",
        .method = Method::statistical,
        .false_alarm = kFalseAlarm,
        .explain =
            "Agreement is (m-1)(k-1) equations between logits with a density near 0. Among rows "
            "with all probabilities above 0.05, of random dense heads of norm 3 in d = 4, the "
            "share of the rows within 0.1 that are within 0.02 is compared with the shares of "
            "powers half a unit off, by Chernoff's bound for partly dependent rows.",
        .run = test_rarity_exponent,
    };
}

}  // namespace attest::chen_li2024
