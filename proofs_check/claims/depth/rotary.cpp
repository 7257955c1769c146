#include "core/base/text.hpp"
#include "proofs_check/claims/depth/predictions.hpp"
#include "proofs_check/claims/depth/statements.hpp"

namespace attest::depth {

namespace {

void turned(StackLayer& layer) {
    layer.rotary = layer.causal = layer.residual = true;
}

/// L·H·(2da − a + v(2d − v) − 1).
Index linear_turned(const Sizes& s) {
    return s.layers * s.heads * (2 * s.d * s.a - s.a + s.v * (2 * s.d - s.v) - 1);
}

/// L·H·(2da − a + v(2d − v)).
Index softmax_turned(const Sizes& s) {
    return s.layers * s.heads * (2 * s.d * s.a - s.a + s.v * (2 * s.d - s.v));
}

/// As if every basis of the keys were free to change.
Index as_if_not_turned(const Sizes& s) {
    return s.layers * s.heads * (head_ranks(s) - 1);
}

/// Accepted: at so many random examples the derivative has the rank said.
Answer rank_at(const Sizes& sizes, Index tokens, Index examples, Index said) {
    const Index rank = rank_of_examples(stack_of(sizes, turned), tokens, examples);
    return {rank == said,
            formatted("({},{},{},{};{}), {} tokens: rank {} on {} random examples, said {}",
                      sizes.d,
                      sizes.a,
                      sizes.v,
                      sizes.heads,
                      sizes.layers,
                      tokens,
                      rank,
                      examples,
                      said)};
}

Evidence test_rotary(const ClaimContext& /*context*/) {
    Evidence evidence;
    const std::vector<Sizes> sizes{
        {4, 2, 2, 1}, {4, 4, 2, 1}, {4, 4, 4, 1}, {4, 2, 2, 2}, {3, 2, 2, 1, 2}};
    const SharedTest law(evidence, all_proved);
    const std::vector<Prediction> linear = predictions(sizes, 3, turned, linear_turned);
    law.check(Form::tested, std::string("linear, three tokens"), linear);
    law.control(std::string("linear, by the law of keys that are not turned"),
                predicted_by(sizes, linear, as_if_not_turned));
    law.check(Form::tested,
              std::string("softmax, three tokens"),
              predictions(
                  {{4, 2, 2, 1}, {4, 4, 2, 1}, {3, 2, 2, 2}},
                  3,
                  [](StackLayer& layer) {
                      turned(layer);
                      layer.score = StackScore::softmax;
                  },
                  softmax_turned));
    const SharedTest reached(evidence, all_reached, kSampled);
    const std::vector<Sizes> fails{{4, 4, 2, 1}};
    const std::vector<Prediction> two_tokens =
        predictions(fails, 2, turned, [](const Sizes&) { return Index{37}; });
    reached.check(Form::tested, std::string("linear, two tokens"), two_tokens);
    reached.control(std::string("linear, two tokens, by the law of three"),
                    predicted_by(fails, two_tokens, linear_turned));
    const SharedTest seen(evidence, rank_at, kSampled);
    seen.check(Form::tested, fails.front(), Index{2}, Index{12}, Index{33});
    seen.check(Form::tested, fails.front(), Index{2}, Index{16}, Index{37});
    seen.check(Form::tested, fails.front(), Index{2}, Index{100}, Index{37});
    seen.control(fails.front(), Index{2}, Index{16}, Index{33});
    return evidence;
}

}  // namespace

Claim rotary() {
    return {
        .id = "depth/rotary",
        .paper = "docs/depth.md",
        .place = "Laws, rotary keys",
        .tested =
            "rotary keys and queries, a even, causal, residual connections, three tokens: L linear "
            "layers have L H(2da - a + v(2d-v) - 1) dimensions, one softmax layer H(2da - a + "
            "v(2d-v)). Two tokens fail: (4,4,2,1) has 37 at least where the law says 39",
        .depends_on = "depth/residual",
        .method = Method::sampled,
        .explain =
            "A basis change of the keys must commute with all rotations: one complex number a "
            "pair, a real numbers a head instead of a^2. These are fields, so the bound is proved "
            "for almost all angles, and the sizes listed meet it. With two tokens only the angles "
            "0 and 1 occur, and more is lost: 37 is a proved lower bound, random integers show no "
            "more, and the upper bound is 39. What the dimension is there is open. Twelve random "
            "examples show 33, sixteen 37: too few examples make no dimension.",
        .run = test_rotary,
    };
}

}  // namespace attest::depth
