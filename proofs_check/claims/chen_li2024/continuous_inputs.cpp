#include "core/base/text.hpp"
#include "proofs_check/claims/chen_li2024/planted_run.hpp"
#include "proofs_check/claims/chen_li2024/statements.hpp"

namespace attest::chen_li2024 {

namespace {

SoftmaxAttentionOptions layer(TokenLaw law, Index d) {
    SoftmaxAttentionOptions options;
    options.law = law;
    options.teacher.d = d;
    return options;
}

Evidence test_continuous_inputs(const ClaimContext& context) {
    Evidence evidence;
    // Two of 30 layers may fail, two of 33, four of 40.
    const Index layers = context.pick(30, 40);
    const Index d = context.pick(4, 6);
    const Index signs = context.pick(6, 8);
    const FindsMost found(evidence, 2);
    found.check(formatted("sphere, d = {}", d),
                planted_successes(layer(TokenLaw::sphere, d),
                                  context.pick(2000, 40000),
                                  context.pick(33, 40),
                                  context.stream.child("sphere")));
    // 2^(2d−1) sequences differ up to sign; nearly all of them are drawn.
    found.check(formatted("signs, d = {}", signs),
                planted_successes(layer(TokenLaw::boolean, signs),
                                  context.pick(6000, 100000),
                                  layers,
                                  context.stream.child("signs")));
    found.control(
        "signs, d = 4, of which only 128 sequences differ",
        planted_successes(
            layer(TokenLaw::boolean, 4), 2000, layers, context.stream.child("few signs")));
    return evidence;
}

}  // namespace

Claim continuous_inputs() {
    return {
        .id = "chen_li2024/continuous_inputs",
        .paper = "arXiv 2402.04084",
        .place = "Input distributions",
        .printed = kNotAtHand,
        .tested =
            "the six phases find most layers of two dense heads of norm 3 also from tokens that "
            "are uniform on the sphere of radius sqrt d, and from uniform signs",
        .deviation =
            "signs are the paper's inputs, Gaussian ones its own extension, the sphere is ours. At "
            "the size d = 4 of the Gaussian claim uniform signs fail: the control. The algorithm "
            "is told m and 1.5 times the largest norm",
        .depends_on = "chen_li2024/abstract_guarantee",
        .method = Method::statistical,
        .false_alarm = kFalseAlarm,
        .explain =
            "Only mean 0 and covariance I enter the first phase to first order; the others need "
            "rows on which the heads nearly agree, however they come about. Short sign sequences "
            "are too few for that: the control.",
        .run = test_continuous_inputs,
    };
}

}  // namespace attest::chen_li2024
