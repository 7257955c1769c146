#include "core/base/text.hpp"
#include "proofs_check/claims/henry2025/one_head.hpp"
#include "proofs_check/claims/henry2025/statements.hpp"

namespace attest::henry2025 {

namespace {

/// Accepted: proved, and beside the bases of queries and keys and of values and outputs, which the
/// paper's K'Q and V do not have, `scales` dimensions are lost.
Answer fibres(Index d, StackScore score, Index scales) {
    bool all = true;
    std::string text;
    for (Index a = 1; a <= d; ++a) {
        const StackShape shape =
            depth::stack_of(one_head(d, a, 1), [&](StackLayer& layer) { layer.score = score; });
        const StackDimension found = dimension({shape, 2});
        Index others = 0;
        for (const LostToSymmetry& lost : found.lost) {
            const bool basis = lost.kind == SymmetryKind::query_key_basis ||
                               lost.kind == SymmetryKind::value_output_basis;
            others += basis ? 0 : lost.dimensions;
        }
        all = all && found.proof == DimensionProof::symmetries && others == scales;
        text += formatted("{}a = {}: {} of {}, {} lost beside bases",
                          text.empty() ? "" : "; ",
                          a,
                          found.rank,
                          found.parameters,
                          others);
    }
    return {all, formatted("d = {}, two tokens: {}; said {}", d, text, scales)};
}

Evidence test_single_layer(const ClaimContext& /*context*/) {
    Evidence evidence;
    const SharedTest law(evidence, depth::all_proved);
    std::vector<depth::Sizes> sizes;
    for (Index d = 2; d <= 5; ++d) {
        for (Index a = 1; a <= d; ++a) {
            sizes.push_back(one_head(d, a, 1));
        }
    }
    const std::vector<depth::Prediction> said = depth::predictions(
        sizes, 2, [](StackLayer&) {}, lightning_formula);
    law.check(Form::tested, std::string("a(2d-a) + d^2 - 1, two tokens"), said);
    law.control(std::string("no scale lost"), depth::predicted_by(sizes, said, softmax_formula));
    const SharedTest scale(evidence, fibres);
    for (Index d = 2; d <= 4; ++d) {
        scale.check(Form::tested, d, StackScore::linear, Index{1});
    }
    scale.control(Index{3}, StackScore::softmax, Index{1});
    return evidence;
}

}  // namespace

Claim single_layer() {
    return {
        .id = "henry2025/single_layer",
        .paper = "arXiv 2408.17221",
        .place = "one lightning layer: generic fibres and dimension",
        .printed = kNotAtHand,
        .tested =
            "one layer of linear attention with one head, K'Q of rank a and a full d x d value "
            "matrix, two tokens: near generic parameters the functions that agree differ by a "
            "scale "
            "between K'Q and V alone, and the dimension is a(2d-a) + d^2 - 1; d = 2 to 5, all a",
        .deviation =
            "the theorems were not read. The abstract promises generic fibres and the dimension; a "
            "review on OpenReview says that fibres are rescalings but for cases of rank one; the "
            "authors' public script has the formula. That two tokens suffice is ours, and input "
            "and output of one size",
        .method = Method::exact,
        .explain =
            "The rank of the derivative and that of the fields add up to all parameters at "
            "integers, so both are exact and the fields span the fibre near almost all "
            "parameters: bases, which K'Q and OV do not see, and one scale. It says nothing of "
            "parameters far apart, which the paper's theorem on fibres does. Control: a softmax "
            "layer has no scale to lose.",
        .run = test_single_layer,
    };
}

}  // namespace attest::henry2025
