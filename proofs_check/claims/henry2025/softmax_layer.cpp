#include "proofs_check/claims/henry2025/one_head.hpp"
#include "proofs_check/claims/henry2025/statements.hpp"

namespace attest::henry2025 {

namespace {

Evidence test_softmax_layer(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest law(evidence, depth::all_proved);
    std::vector<depth::Sizes> sizes;
    for (Index d = 2; d <= context.pick(6, 8); ++d) {
        for (Index a = 1; a <= d; ++a) {
            sizes.push_back(one_head(d, a, 1));
        }
    }
    const std::vector<depth::Prediction> said = depth::predictions(
        sizes, 2, [](StackLayer& layer) { layer.score = StackScore::softmax; }, softmax_formula);
    law.check(Form::tested, std::string("a(2d-a) + d^2, two tokens"), said);
    law.control(std::string("a scale lost"), depth::predicted_by(sizes, said, lightning_formula));
    return evidence;
}

}  // namespace

Claim softmax_layer() {
    return {
        .id = "henry2025/softmax_layer",
        .paper = "arXiv 2408.17221",
        .place = "one normalised layer: dimension",
        .printed = kNotAtHand,
        .tested =
            "one softmax layer with one head, K'Q of rank a, a full d x d value matrix, two "
            "tokens: nothing is lost but bases, so the dimension is a(2d-a) + d^2; d = 2 to 6, all "
            "a",
        .deviation =
            "the theorem was not read; the abstract says that the extension to normalised networks "
            "is proved for a single layer, and a review that its fibres are single points",
        .method = Method::exact,
        .explain =
            "Softmax to base e with Q is softmax to base 2 with Q/ln 2, an invertible change of "
            "parameters. At integers and base 2 all outputs are rational, derivatives are "
            "polynomials in ln 2, which is transcendental, and a ring homomorphism to the integers "
            "modulo 4194287 bounds the rank from below; fields bound it from above. The argument "
            "is in docs/depth.md.",
        .run = test_softmax_layer,
    };
}

}  // namespace attest::henry2025
