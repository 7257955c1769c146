#include "proofs_check/claims/depth/predictions.hpp"
#include "proofs_check/claims/depth/statements.hpp"

namespace attest::depth {

namespace {

/// d·C(d+2, 3): all that one token can see of cubic maps.
Index cubic_maps(const Sizes& sizes) {
    const Index d = sizes.d;
    return d * (d * (d + 1) * (d + 2) / 6);
}

Evidence test_one_token(const ClaimContext& /*context*/) {
    Evidence evidence;
    const auto plain = [](StackLayer&) {};
    const std::vector<Sizes> filled{
        {1, 1, 1, 1}, {1, 1, 1, 2}, {2, 1, 1, 3}, {2, 2, 2, 2}, {2, 1, 2, 3}, {3, 2, 2, 4}};
    const SharedTest law(evidence, all_proved);
    const std::vector<Prediction> cubics = predictions(filled, 1, plain, cubic_maps);
    law.check(Form::tested, std::string("many heads, one token: all cubic maps"), cubics);
    law.control(std::string("many heads, one token, by the law of two"),
                predicted_by(filled, cubics, linear_layer));
    const SharedTest reached(evidence, all_reached, kSampled);
    const std::vector<Sizes> below{{3, 2, 2, 2}};
    const std::vector<Prediction> fewer =
        predictions(below, 1, plain, [](const Sizes&) { return Index{26}; });
    reached.check(Form::tested, std::string("two heads, one token"), fewer);
    reached.control(std::string("two heads, one token, by the law of two"),
                    predicted_by(below, fewer, linear_layer));
    return evidence;
}

}  // namespace

Claim one_token() {
    return {
        .id = "depth/one_token",
        .paper = "docs/depth.md",
        .place = "Laws, a single token",
        .tested =
            "sequences of a single token: one linear layer has at most d C(d+2,3) dimensions, and "
            "has them at the sizes listed. Below that the law of two tokens fails: (3,2,2,2) has "
            "at "
            "least 26, and random integers show no more, where that law says 30",
        .depends_on = "depth/one_linear_layer",
        .method = Method::sampled,
        .explain =
            "One token x sees the cubic monomials of x alone, where x x' and x are no longer "
            "apart. "
            "So K'Q and OV change the layer less freely, by more than the fields of this program "
            "say. What the dimension is below d C(d+2,3) is open: 26 is a proved lower bound. A "
            "larger rank anywhere would be one at almost all points; three random points modulo "
            "4194301 miss it with a chance below 1e-12, unless the prime divides every minor.",
        .run = test_one_token,
    };
}

}  // namespace attest::depth
