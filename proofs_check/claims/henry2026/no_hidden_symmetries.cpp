#include "proofs_check/claims/depth/predictions.hpp"
#include "proofs_check/claims/henry2026/statements.hpp"

namespace attest::henry2026 {

namespace {

using depth::Sizes;

const std::vector<Sizes>& layers() {
    static const std::vector<Sizes> kLayers{{2, 1, 1, 1},
                                            {2, 1, 1, 2},
                                            {2, 2, 2, 2},
                                            {2, 2, 2, 3},
                                            {3, 1, 1, 2},
                                            {3, 1, 2, 3},
                                            {3, 2, 2, 2},
                                            {3, 2, 3, 3},
                                            {3, 3, 3, 2},
                                            {3, 3, 3, 4},
                                            {4, 1, 1, 4},
                                            {4, 2, 2, 2},
                                            {4, 2, 2, 4},
                                            {4, 3, 3, 4},
                                            {5, 1, 1, 5},
                                            {6, 2, 2, 3},
                                            {6, 3, 3, 2},
                                            {8, 2, 2, 4}};
    return kLayers;
}

Evidence test_no_hidden_symmetries(const ClaimContext& /*context*/) {
    Evidence evidence;
    const auto softmax = [](StackLayer& layer) { layer.score = StackScore::softmax; };
    const SharedTest law(evidence, depth::all_proved);
    law.check(Form::printed,
              std::string("softmax, H(a(2d-a) + v(2d-v)), three tokens"),
              depth::predictions(layers(), 3, softmax, depth::softmax_layer));
    law.check(Form::tested,
              std::string("softmax, two tokens"),
              depth::predictions(layers(), 2, softmax, depth::softmax_layer));
    law.control(std::string("linear scores, three tokens"),
                depth::predictions(
                    {{3, 1, 1, 2}, {4, 2, 2, 2}}, 3, [](StackLayer&) {}, depth::softmax_layer));
    return evidence;
}

}  // namespace

Claim no_hidden_symmetries() {
    return {
        .id = "henry2026/no_hidden_symmetries",
        .paper = "Henry, ICML 2026 workshop on weight-space symmetries",
        .place = "Abstract",
        .printed =
            "for generic parameters multi-head self-attention has no symmetries beyond linear "
            "changes of basis within the Q-K and O-V products and permutations of heads, which "
            "gives a formula for its functional dimension",
        .tested = "the same near generic parameters, with two tokens",
        .deviation =
            "only the abstract was read, and the formula is not in it; ours is H(a(2d-a) + "
            "v(2d-v)), what these symmetries leave. Self-attention is read as softmax attention: "
            "with linear scores heads have scales, and large ones mix",
        .depends_on = "henry2025/softmax_layer",
        .method = Method::exact,
        .severity = Severity::none,
        .explain =
            "At integers, by the homomorphism of docs/depth.md, the rank of the derivative and "
            "that "
            "of the two families of fields add up to all parameters, so they are all continuous "
            "symmetries near almost all parameters; permutations cost no dimension. Each size is "
            "proved, up to heads of full size that linear scores would mix. Symmetries between "
            "parameters far apart are not seen by ranks. Control: linear scores.",
        .run = test_no_hidden_symmetries,
    };
}

}  // namespace attest::henry2026
