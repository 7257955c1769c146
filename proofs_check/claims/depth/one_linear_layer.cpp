#include "proofs_check/claims/depth/predictions.hpp"
#include "proofs_check/claims/depth/statements.hpp"

#include <algorithm>

namespace attest::depth {

namespace {

const std::vector<Sizes>& single_layers() {
    static const std::vector<Sizes> kSizes{
        {1, 1, 1, 1}, {1, 1, 1, 2}, {2, 1, 1, 1}, {2, 1, 1, 2}, {2, 1, 1, 3}, {2, 2, 2, 1},
        {2, 2, 2, 2}, {2, 2, 2, 3}, {2, 1, 2, 2}, {2, 1, 2, 3}, {2, 2, 1, 3}, {3, 1, 1, 2},
        {3, 1, 1, 3}, {3, 1, 1, 5}, {3, 2, 2, 2}, {3, 2, 2, 3}, {3, 2, 2, 4}, {3, 2, 3, 2},
        {3, 3, 1, 4}, {3, 3, 3, 2}, {4, 1, 1, 4}, {4, 1, 2, 3}, {4, 2, 2, 2}, {4, 2, 2, 4},
        {4, 2, 4, 4}, {4, 3, 4, 2}, {4, 4, 4, 2}, {5, 2, 1, 3}};
    return kSizes;
}

/// Heads that mix: H exceeds (d − a)² + (d − v)² by more than 1, and they do not fill.
const std::vector<Sizes>& mixing_layers() {
    static const std::vector<Sizes> kSizes{{3, 2, 3, 3},
                                           {3, 3, 2, 3},
                                           {3, 2, 3, 4},
                                           {3, 3, 3, 3},
                                           {3, 3, 3, 4},
                                           {4, 3, 4, 3},
                                           {4, 3, 3, 3},
                                           {4, 3, 3, 4}};
    return kSizes;
}

/// Each head loses its bases and one scale, and heads never mix.
Index scales_alone(const Sizes& sizes) {
    return std::min(sizes.d * sizes.d * sizes.d * (sizes.d + 1) / 2,
                    sizes.heads * (head_ranks(sizes) - 1));
}

Evidence test_one_linear_layer(const ClaimContext& /*context*/) {
    Evidence evidence;
    const auto plain = [](StackLayer&) {};
    const SharedTest law(evidence, all_proved);
    law.check(Form::tested,
              std::string("the law, two tokens"),
              predictions(single_layers(), 2, plain, linear_layer));
    const std::vector<Prediction> mixing = predictions(mixing_layers(), 2, plain, linear_layer);
    law.check(Form::tested, std::string("heads that mix, two tokens"), mixing);
    law.check(Form::tested,
              std::string("three tokens"),
              predictions(mixing_layers(), 3, plain, linear_layer));
    law.control(std::string("without mixing"), predicted_by(mixing_layers(), mixing, scales_alone));
    return evidence;
}

}  // namespace

Claim one_linear_layer() {
    return {
        .id = "depth/one_linear_layer",
        .paper = "docs/depth.md",
        .place = "Laws, one layer of linear attention",
        .tested =
            "H linear heads of sizes a and v, d numbers a token, two tokens or more: the "
            "functional dimension is min(d d^2(d+1)/2, H e - H max(1, H - (d-a)^2 - (d-v)^2)), e = "
            "a(2d-a) + v(2d-v), the last H at most d^2: beyond, GL_H takes no more; one for d = 1. "
            "For the sizes listed, (d,a,v,H;layers)",
        .method = Method::exact,
        .explain =
            "Upper bound, for all sizes: K'Q and OV are matrices of ranks a and v, and the layer "
            "depends on the sum of OV x K'Q alone, which g in GL_H leaves as it is; the g that "
            "keep "
            "these ranks are cut out of GL_H by (d-a)^2 + (d-v)^2 equations a head, and contain "
            "the scales. The first term counts monomials. It is an equality where integers have a "
            "derivative of that rank: each size listed is proved, and no size besides. Control: "
            "without the mixing of heads below full size, (3,2,3,3) would have 48 for 45.",
        .run = test_one_linear_layer,
    };
}

}  // namespace attest::depth
