#include "proofs_check/claims/henry2025/one_head.hpp"
#include "proofs_check/claims/henry2025/statements.hpp"

namespace attest::henry2025 {

namespace {

Evidence test_deep_dimension(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest law(evidence, depth::all_proved);
    for (Index layers = 2; layers <= 4; ++layers) {
        std::vector<depth::Sizes> sizes;
        for (Index d = 2; d <= context.pick(4, 6); ++d) {
            for (Index a = 1; a <= d; ++a) {
                sizes.push_back(one_head(d, a, layers));
            }
        }
        const std::vector<depth::Prediction> said = depth::predictions(
            sizes, 2, [](StackLayer&) {}, lightning_formula);
        law.check(Form::tested, std::string("the formula, two tokens"), said);
        if (layers == 2) {
            law.control(std::string("scales kept"),
                        depth::predicted_by(sizes, said, softmax_formula));
            law.control(std::string("bases between layers kept"),
                        depth::predicted_by(sizes, said, layers_alone));
        }
    }
    return evidence;
}

}  // namespace

Claim deep_dimension() {
    return {
        .id = "henry2025/deep_dimension",
        .paper = "arXiv 2408.17221",
        .place = "deep lightning networks: dimension",
        .printed = kNotAtHand,
        .tested =
            "L layers of linear attention with one head, K'Q of rank a, full d x d value matrices, "
            "no residual connections, two tokens: the dimension is L(a(2d-a) + d^2) - (L-1)d^2 - "
            "L; L = 2 to 4, d = 2 to 4, all a",
        .deviation =
            "the theorem and its bottleneck assumption were not read; the formula is that of the "
            "authors' public script for networks without normalisation. Layers of different "
            "widths are not tested",
        .depends_on = "henry2025/single_layer",
        .method = Method::exact,
        .explain =
            "Each size is proved: at integers the rank of the derivative and that of the fields "
            "add up to all parameters. Lost are the bases inside a layer, a scale a layer, and a "
            "basis between each two layers. Where heads are narrower than d, so that a layer is a "
            "bottleneck, the formula is another one: depth/without_residual.",
        .run = test_deep_dimension,
    };
}

}  // namespace attest::henry2025
