#include "core/base/text.hpp"
#include "proofs_check/claims/depth/predictions.hpp"
#include "proofs_check/claims/depth/statements.hpp"

namespace attest::depth {

namespace {

/// A stack, the number of its tokens, and ⌈D/o⌉ as expected.
struct Counted {
    StackShape shape;
    Index tokens;
    Index examples;
};

StackShape last_of(StackShape shape) {
    shape.readout = Readout::last;
    return shape;
}

std::vector<Counted> counted_stacks() {
    const auto residual = [](StackLayer& layer) { layer.residual = true; };
    const auto causal = [](StackLayer& layer) { layer.residual = layer.causal = true; };
    const auto plain = [](StackLayer&) {};
    return {{last_of(stack_of({2, 2, 2, 1, 2}, causal)), 3, 7},
            {stack_of({3, 1, 1, 2, 2}, residual), 2, 6},
            {last_of(stack_of({3, 2, 2, 2, 2}, causal)), 3, 20},
            {last_of(stack_of({3, 3, 3, 2, 2}, causal)), 3, 22},
            {stack_of({2, 2, 2, 2, 2}, residual), 2, 6},
            {stack_of({3, 2, 3, 1, 2}, plain), 2, 4},
            {last_of(stack_of({2, 2, 2, 2, 2}, causal)), 2, 12},
            {stack_of({2, 2, 2, 2, 2}, causal), 2, 6}};
}

/// One layer of four heads in two groups, read at five tokens: outputs of one example depend on
/// each other through its state.
Counted grouped_heads_of_many_tokens() {
    return {stack_of({4, 1, 1, 4, 1}, [](StackLayer& layer) { layer.groups = 2; }), 5, 2};
}

/// Accepted: the dimension is proved, ⌈D/o⌉ is the number said, and so many random examples have
/// the rank D.
Answer least_suffices(const std::vector<Counted>& stacks) {
    bool all = true;
    std::string text;
    for (const Counted& each : stacks) {
        const StackDimension found = dimension({each.shape, each.tokens});
        all = all && found.proof != DimensionProof::none && found.examples_least == each.examples &&
              found.examples == each.examples;
        text += formatted("{}D {}, o {}, {} of {}",
                          text.empty() ? "" : "; ",
                          found.rank,
                          found.outputs,
                          found.examples,
                          found.examples_least);
    }
    return {all, formatted("examples at which the rank was reached, of the least: {}", text)};
}

Evidence test_examples_needed(const ClaimContext& /*context*/) {
    Evidence evidence;
    const SharedTest suffices(evidence, least_suffices);
    suffices.check(Form::tested, counted_stacks());
    suffices.control(std::vector<Counted>{grouped_heads_of_many_tokens()});
    return evidence;
}

}  // namespace

Claim examples_needed() {
    return {
        .id = "depth/examples_needed",
        .paper = "docs/depth.md",
        .place = "How many examples",
        .tested =
            "with D dimensions and o numbers an example, fewer than D/o examples never suffice, "
            "and "
            "the next whole number of random ones does, for eight stacks of linear attention; it "
            "does not for (4,1,1,4) in two groups at five tokens",
        .depends_on = "depth/residual depth/without_residual depth/grouped_heads",
        .method = Method::exact,
        .explain =
            "A rank is at most the number of rows. Each stack's rank D is proved at so many "
            "examples drawn at random, so it holds for almost all of as many. No theorem makes it "
            "so in general: outputs of one example share its state, a sum over its tokens, and may "
            "depend on each other, as in the last stack.",
        .run = test_examples_needed,
    };
}

}  // namespace attest::depth
