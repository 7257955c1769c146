#include "core/base/text.hpp"
#include "proofs_check/claims/henry2025/one_head.hpp"
#include "proofs_check/claims/henry2025/statements.hpp"

namespace attest::henry2025 {

namespace {

/// All a at these d, two layers.
std::vector<depth::Sizes> two_layers(Index first, Index last) {
    std::vector<depth::Sizes> sizes;
    for (Index d = first; d <= last; ++d) {
        for (Index a = 1; a <= d; ++a) {
            sizes.push_back(one_head(d, a, 2));
        }
    }
    return sizes;
}

Evidence test_softmax_deep(const ClaimContext& context) {
    Evidence evidence;
    const auto softmax = [](StackLayer& layer) { layer.score = StackScore::softmax; };
    const SharedTest law(evidence, depth::all_proved);
    const Index last = context.pick(7, 10);
    for (const Index tokens : {2, 3, 4}) {
        law.check(Form::tested,
                  formatted("two layers, {} tokens", tokens),
                  depth::predictions(
                      two_layers(2, tokens == 3 ? last : 6), tokens, softmax, softmax_formula));
    }
    const std::vector<depth::Sizes> few = two_layers(2, 3);
    const std::vector<depth::Prediction> said =
        depth::predictions(few, 3, softmax, softmax_formula);
    law.control(std::string("bases between layers kept"),
                depth::predicted_by(few, said, layers_alone));
    law.control(std::string("scales lost"), depth::predicted_by(few, said, lightning_formula));
    return evidence;
}

}  // namespace

Claim softmax_deep() {
    return {
        .id = "henry2025/softmax_deep",
        .paper = "arXiv 2408.17221",
        .place = "Conjecture on deep normalised networks, its dimension",
        .printed = kNotAtHand,
        .tested =
            "two softmax layers with one head each, K'Q of rank a, full d x d value matrices, no "
            "residual connections: the dimension is 2 a(2d-a) + d^2; all a at d = 2 to 6 with two, "
            "three and four tokens, and at d = 7 with three",
        .deviation =
            "the conjecture speaks of fibres at any depth; what is proved here is the dimension "
            "that follows from it, size by size, at two layers. Its text was not read: the formula "
            "is that of the authors' public script, the same as equation 16 by its Figure 3",
        .depends_on = "henry2025/softmax_layer",
        .method = Method::exact,
        .explain =
            "Scores of the second layer are rational at integers and base 2, so weights lie in a "
            "field with a root of 2; y^B - 2 is irreducible and ln 2 transcendental, so a ring "
            "homomorphism to the integers modulo 4194287 = 2q + 1 exists wherever q does not "
            "divide B. A rank there is a proved lower bound, and fields the upper one. A third "
            "layer has powers with algebraic exponents, of whose independence nothing is proved: "
            "deeper networks stay a conjecture.",
        .run = test_softmax_deep,
    };
}

}  // namespace attest::henry2025
