#include "core/base/text.hpp"
#include "proofs_check/claims/henry2025/one_head.hpp"
#include "proofs_check/claims/henry2025/statements.hpp"

namespace attest::henry2025 {

namespace {

using Curve = std::vector<Index>;

/// What a script draws of the ranks that it computes and of the formula: two curves.
struct Drawing {
    Curve estimated;
    Curve expected;
};

/// dim_estimator.py at commit 232537f, the only one that touches it (2024-06-30): ranks are
/// computed, the line that draws them is commented out, and both calls that remain draw the
/// formula's vector, labelled "Estimated" and "Expected".
Drawing as_committed(const Curve&, const Curve& formula) {
    return {formula, formula};
}

/// The same with the commented line instead of the first call.
Drawing with_the_ranks(const Curve& ranks, const Curve& formula) {
    return {ranks, formula};
}

using Script = Drawing (*)(const Curve& ranks, const Curve& formula);

/// The settings of that commit: d = 4, three layers, a = 1 to 4.
Curve committed_formula() {
    Curve formula;
    for (Index a = 1; a <= 4; ++a) {
        formula.push_back(softmax_formula(one_head(4, a, 3)));
    }
    return formula;
}

/// Accepted: ranks that disagree with the formula at every place are not to be seen.
Answer hides_disagreement(Script script) {
    const Curve formula = committed_formula();
    const Drawing drawn = script(Curve(formula.size(), 0), formula);
    const bool hidden = drawn.estimated == drawn.expected;
    return {hidden,
            formatted("planted ranks of 0 where the formula says {}, {}, {}, {}: the two curves {}",
                      formula[0],
                      formula[1],
                      formula[2],
                      formula[3],
                      hidden ? "coincide" : "differ")};
}

Evidence test_public_script(const ClaimContext&) {
    Evidence evidence;
    const SharedTest hides(evidence, hides_disagreement);
    hides.check(Form::tested, &as_committed);
    hides.control(&with_the_ranks);
    std::vector<depth::Sizes> sizes;
    for (Index a = 1; a <= 4; ++a) {
        sizes.push_back(one_head(4, a, 3));
    }
    const auto softmax = [](StackLayer& layer) { layer.score = StackScore::softmax; };
    const SharedTest right(evidence, depth::all_met, "double, upper bounds exact");
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
            "the public script cannot show disagreement: it computes ranks, and then draws the "
            "formula twice. It does not follow that the printed figure was drawn so, and the "
            "values are right: proved for the figure's sizes, and met in doubles at the settings "
            "committed (d = 4, three layers, a = 1 to 4)",
        .deviation =
            "about a script, not about the paper. The committed settings are not those of Figure "
            "3, and a review quotes other lines of the script that was then anonymous, so the "
            "figure may come from another version",
        .depends_on = "henry2025/figure_3",
        .method = Method::property,
        .explain =
            "One commit touches the file (232537f, 2024-06-30, \"init\"). Its vector of ranks is "
            "filled and never drawn: the line that would is commented out, and the two calls that "
            "remain, labelled Estimated and Expected, both draw the vector of the formula. The "
            "check repeats that with ranks planted wrong, and with the commented line restored as "
            "control. Three softmax layers are ranked in doubles; upper bounds are proved.",
        .run = test_public_script,
    };
}

}  // namespace attest::henry2025
