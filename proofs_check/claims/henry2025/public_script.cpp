#include "core/base/text.hpp"
#include "proofs_check/claims/henry2025/one_head.hpp"
#include "proofs_check/claims/henry2025/statements.hpp"

namespace attest::henry2025 {

namespace {

Evidence test_public_script(const ClaimContext& /*context*/) {
    Evidence evidence;
    std::vector<depth::Sizes> sizes;
    for (Index a = 1; a <= 4; ++a) {
        sizes.push_back(one_head(4, a, 3));
    }
    const auto softmax = [](StackLayer& layer) { layer.score = StackScore::softmax; };
    const SharedTest right(evidence, depth::all_met, depth::kMetInDoubles);
    const std::vector<depth::Prediction> said =
        depth::predictions(sizes, 3, softmax, softmax_formula);
    right.check(Form::tested, std::string("the formula at the committed settings"), said);
    right.control(std::string("bases between layers kept"),
                  depth::predicted_by(sizes, said, layers_alone));
    return evidence;
}

}  // namespace

Claim public_script() {
    return {
        .id = "henry2025/public_script",
        .paper = "arXiv 2408.17221",
        .place = "the public script, NeuroDim/dim_estimator.py at 232537f",
        .printed = kNotAtHand,
        .tested =
            "at the settings committed to the public script (softmax, d = 4, three layers, a = 1 "
            "to 4) the dimension is what the formula says, in doubles, with proved upper bounds",
        .deviation =
            "about a script, not about the paper. It was read, not run: one commit touches it "
            "(232537f, 2024-06-30, \"init\"); its vector of ranks is filled, the line that would "
            "draw it is commented out, and the two calls that remain, labelled Estimated and "
            "Expected, both draw the vector of the formula. So the public script cannot show "
            "disagreement. It does not follow that the printed figure was drawn so: its settings "
            "are not Figure 3's, a review quotes other lines of the script that was then "
            "anonymous, and the values are right (henry2025/figure_3)",
        .depends_on = "henry2025/figure_3",
        .method = Method::property,
        .explain =
            "Three softmax layers are ranked in doubles, by a gap of singular values; the upper "
            "bounds are proved by fields. Control: the formula with the bases between layers kept.",
        .run = test_public_script,
    };
}

}  // namespace attest::henry2025
