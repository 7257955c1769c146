#include "proofs_check/claims/depth/predictions.hpp"
#include "proofs_check/claims/depth/statements.hpp"

namespace attest::depth {

namespace {

/// As without a residual connection: a basis between each two layers is lost.
Index less_bases(const Sizes& sizes) {
    return linear_residual_stack(sizes) - (sizes.layers - 1) * sizes.d * sizes.d;
}

Evidence test_residual(const ClaimContext& /*context*/) {
    Evidence evidence;
    const std::vector<Sizes> sizes{
        {1, 1, 1, 1, 2}, {1, 1, 1, 1, 4}, {2, 1, 1, 1, 2}, {2, 1, 1, 1, 4}, {2, 1, 2, 1, 2},
        {2, 2, 2, 1, 2}, {2, 2, 2, 2, 2}, {2, 2, 2, 2, 3}, {2, 1, 1, 3, 2}, {3, 1, 1, 1, 3},
        {3, 1, 1, 2, 3}, {3, 1, 1, 3, 2}, {3, 2, 2, 2, 2}, {3, 2, 2, 2, 3}, {3, 2, 3, 1, 2},
        {3, 3, 3, 1, 2}, {3, 3, 3, 2, 2}, {4, 2, 2, 2, 2}, {4, 2, 2, 2, 3}, {2, 2, 2, 1, 4}};
    const std::vector<Sizes> two{{2, 1, 1, 1, 2},
                                 {2, 2, 2, 1, 2},
                                 {3, 1, 1, 2, 2},
                                 {3, 2, 2, 2, 2},
                                 {3, 3, 3, 2, 2},
                                 {4, 2, 2, 2, 2}};
    const SharedTest law(evidence, all_proved);
    const std::vector<Prediction> all_tokens = predictions(
        sizes, 2, [](StackLayer& layer) { layer.residual = true; }, linear_residual_stack);
    law.check(Form::tested, std::string("all tokens read, two of them"), all_tokens);
    law.check(Form::tested,
              std::string("causal, the last of three tokens read"),
              read_at_the_last(predictions(
                  two,
                  3,
                  [](StackLayer& layer) { layer.residual = layer.causal = true; },
                  linear_residual_stack)));
    law.control(std::string("a basis lost between layers"),
                predicted_by(sizes, all_tokens, less_bases));
    return evidence;
}

}  // namespace

Claim residual() {
    return {
        .id = "depth/residual",
        .paper = "docs/depth.md",
        .place = "Laws, linear layers with residual connections",
        .tested =
            "L linear layers with residual connections, two tokens or more: the dimension is the "
            "sum of those of the layers, so no basis is lost between them; also of causal stacks "
            "of which the last of three tokens is read. For the sizes listed, filled ones among "
            "them",
        .depends_on = "depth/one_linear_layer depth/without_residual",
        .method = Method::exact,
        .explain =
            "Upper bound, for all sizes: the stack is a function of its layers, so its dimension "
            "is at most the sum of theirs. Lower bound, generic layers without bottleneck, if the "
            "stack without residual loses the bases between layers alone: the part of degree 3^L "
            "is that stack, so a direction that changes nothing is dF_l = B_l F_l - DF_l[B_(l-1) "
            "Z]; the part of degree 3 says that these add up to 0. With F_l replaced by eps^l F_l "
            "and B_l = eps^-l C_l it is sum C_l F_l = 0 at eps = 0, so all C_l = 0 if the "
            "components of F_1..F_(L-1) are independent, and generically then. Each size listed "
            "is proved by integers, and no size besides.",
        .run = test_residual,
    };
}

}  // namespace attest::depth
