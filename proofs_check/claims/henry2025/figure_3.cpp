#include "proofs_check/claims/henry2025/one_head.hpp"
#include "proofs_check/claims/henry2025/statements.hpp"

namespace attest::henry2025 {

namespace {

Evidence test_figure_3(const ClaimContext& /*context*/) {
    Evidence evidence;
    std::vector<depth::Sizes> sizes;
    for (Index d = 3; d <= 10; ++d) {
        sizes.push_back(one_head(d, 2, 2));
    }
    const auto softmax = [](StackLayer& layer) { layer.score = StackScore::softmax; };
    const SharedTest figure(evidence, depth::all_proved);
    const std::vector<depth::Prediction> said =
        depth::predictions(sizes, 3, softmax, softmax_formula);
    figure.check(Form::printed, std::string("d^2 + 8d - 8, softmax, three tokens"), said);
    figure.control(std::string("softmax, bases between layers kept"),
                   depth::predicted_by(sizes, said, layers_alone));
    figure.control(std::string("without normalisation, by the same formula"),
                   depth::predictions(
                       sizes, 3, [](StackLayer&) {}, softmax_formula));
    return evidence;
}

}  // namespace

Claim figure_3() {
    return {
        .id = "henry2025/figure_3",
        .paper = "arXiv 2408.17221",
        .place = "Figure 3",
        .printed =
            "for a deep attention network with l = 2 layers, t = 3, a = 2 and d from 3 to 10, with "
            "softmax, the dimension estimated and the one computed by equation 16 coincide for all "
            "d",
        .tested = "the same, with the dimension proved",
        .deviation =
            "the sentence about the figure was read where others quote it, not in the paper; "
            "equation 16 is taken to be the formula of the authors' public script, 2(a(2d-a) + "
            "d^2) - d^2",
        .depends_on = "henry2025/softmax_deep",
        .method = Method::exact,
        .severity = Severity::none,
        .explain =
            "25, 40, 57, 76, 97, 120, 145, 172: eight dimensions that the paper estimates from 250 "
            "random inputs in floating point, proved by integers in a fraction of a second each. "
            "In "
            "doubles the gap of the singular values closes as d grows. They prove the dimension, "
            "not the conjecture on fibres.",
        .run = test_figure_3,
    };
}

}  // namespace attest::henry2025
