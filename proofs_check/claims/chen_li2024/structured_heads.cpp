#include "core/base/text.hpp"
#include "proofs_check/claims/chen_li2024/planted_run.hpp"
#include "proofs_check/claims/chen_li2024/statements.hpp"

#include <array>

namespace attest::chen_li2024 {

namespace {

constexpr std::array kKinds{
    ThetaKind::diagonal, ThetaKind::block, ThetaKind::low_rank, ThetaKind::symmetric};

SoftmaxAttentionOptions layer(TokenLaw law, ThetaKind kind, Index d) {
    SoftmaxAttentionOptions options;
    options.law = law;
    options.teacher.d = d;
    options.teacher.theta = kind;
    return options;
}

/// Quick: a mixture of the kinds, tested as one; full: each by itself.
void check_gaussian(const FindsMost& found, const ClaimContext& context) {
    const bool full = context.profile == Profile::full;
    const Index d = context.pick(4, 6);
    const Index layers = context.pick(9, 40);
    Successes all;
    std::string text;
    for (const ThetaKind kind : kKinds) {
        const std::string name(name_of(kThetaKinds, kind));
        const Successes successes = planted_successes(layer(TokenLaw::gaussian, kind, d),
                                                      context.pick(4000, 30000),
                                                      layers,
                                                      context.stream.child(name));
        if (full) {
            found.check(formatted("Gaussian d = {}, {}", d, name), successes);
        }
        all = joined(all, successes);
        text += formatted("{}{} {}", text.empty() ? "" : ", ", name, successes.found);
    }
    if (!full) {
        found.check(formatted("Gaussian d = {}, {} of each kind (found: {})", d, layers, text),
                    all);
    }
}

Evidence test_structured_heads(const ClaimContext& context) {
    Evidence evidence;
    const FindsMost found(evidence, context.pick(1, std::ssize(kKinds)));
    check_gaussian(found, context);
    found.control("signs, d = 6, diagonal",
                  planted_successes(layer(TokenLaw::boolean, ThetaKind::diagonal, 6),
                                    context.pick(6000, 10000),
                                    context.pick(33, 40),
                                    context.stream.child("signs")));
    return evidence;
}

}  // namespace

Claim structured_heads() {
    return {
        .id = "chen_li2024/structured_heads",
        .paper = "arXiv 2402.04084",
        .place = "Structured attention",
        .printed = kNotAtHand,
        .tested =
            "from Gaussian inputs the six phases find most layers of two diagonal, block-diagonal, "
            "rank-one or symmetric heads",
        .deviation =
            "structured heads are ours: whether the paper's non-degeneracy admits them was not "
            "seen. The algorithm is told m and 1.5 times the largest norm",
        .depends_on = "chen_li2024/abstract_guarantee",
        .method = Method::statistical,
        .false_alarm = kFalseAlarm,
        .explain =
            "No structure is given to the algorithm, and with continuous inputs it needs none. The "
            "control shows where it ends: with signs, x_a' diag(theta) (x_j - x_a) depends on "
            "where x_a and x_j differ only, 2^d values in all, too few for near-agreement.",
        .run = test_structured_heads,
    };
}

}  // namespace attest::chen_li2024
