#include "proofs_check/claims/depth/predictions.hpp"
#include "proofs_check/claims/depth/statements.hpp"

#include <algorithm>

namespace attest::depth {

namespace {

Index softmax_layers_add_up(const Sizes& s) {
    return s.layers * softmax_layer(s);
}

Index softmax_less_bases(const Sizes& s) {
    return softmax_layers_add_up(s) - (s.layers - 1) * s.d * s.d;
}

/// Linear maps of rank at most min(d, Hv).
Index linear_maps(const Sizes& s) {
    const Index rank = std::min(s.d, s.heads * s.v);
    return rank * (2 * s.d - rank);
}

Evidence test_softmax_stacks(const ClaimContext& /*context*/) {
    Evidence evidence;
    const auto plain = [](StackLayer& layer) { layer.score = StackScore::softmax; };
    const auto residual = [](StackLayer& layer) {
        layer.score = StackScore::softmax;
        layer.residual = true;
    };
    const std::vector<Sizes> wide{
        {2, 1, 1, 2, 2}, {2, 2, 2, 2, 2}, {3, 1, 1, 3, 2}, {3, 2, 2, 2, 2}, {4, 2, 2, 2, 2}};
    const std::vector<Sizes> two{{2, 1, 1, 1, 2},
                                 {2, 1, 1, 2, 2},
                                 {2, 2, 2, 2, 2},
                                 {3, 1, 1, 2, 2},
                                 {3, 1, 1, 3, 2},
                                 {3, 2, 2, 2, 2},
                                 {4, 2, 2, 2, 2},
                                 {5, 2, 2, 2, 2}};
    const SharedTest law(evidence, all_proved);
    const std::vector<Prediction> without = predictions(wide, 3, plain, softmax_less_bases);
    law.check(Form::tested, std::string("no residual connections, H v at least d"), without);
    law.control(std::string("no residual connections, no basis lost"),
                predicted_by(wide, without, softmax_layers_add_up));
    const std::vector<Prediction> with = predictions(two, 3, residual, softmax_layers_add_up);
    law.check(Form::tested, std::string("residual connections"), with);
    law.control(std::string("residual connections, a basis lost"),
                predicted_by(two, with, softmax_less_bases));
    law.check(Form::tested,
              std::string("residual connections, causal, the last token read"),
              read_at_the_last(predictions(
                  two,
                  3,
                  [&](StackLayer& layer) {
                      residual(layer);
                      layer.causal = true;
                  },
                  softmax_layers_add_up)));
    const SharedTest reached(evidence, all_reached, kSampled);
    const std::vector<Sizes> single{{2, 1, 1, 1}, {3, 1, 1, 2}, {3, 2, 2, 2}, {2, 1, 1, 1, 2}};
    const std::vector<Prediction> one_token = predictions(single, 1, plain, linear_maps);
    reached.check(Form::tested, std::string("one token"), one_token);
    reached.control(std::string("one token, by the law of more"),
                    predicted_by(single, one_token, softmax_less_bases));
    return evidence;
}

}  // namespace

Claim softmax_stacks() {
    return {
        .id = "depth/softmax_stacks",
        .paper = "docs/depth.md",
        .place = "Laws, stacks of softmax layers",
        .tested =
            "two softmax layers of H heads, three tokens: 2H(a(2d-a) + v(2d-v)) dimensions with "
            "residual connections, also where causal and read at the last token, and d^2 less "
            "without them, H v >= d. One token: the linear maps of rank at most r = min(d, Hv), "
            "r(2d-r), at any depth without residual connections. For the sizes listed",
        .depends_on = "henry2025/softmax_deep henry2026/no_hidden_symmetries",
        .method = Method::exact,
        .explain =
            "Only bases of queries and keys and of values and outputs are lost, and without "
            "residual connections one between the layers: fields, so upper bounds for all sizes. "
            "Ranks are taken at integers to base 2, modulo 4194287, by the homomorphism of "
            "docs/depth.md, so each size listed is proved. Of one token all weights are 1, so a "
            "layer is the map sum of O_h V_h; that is the upper bound, and the rank meets it.",
        .run = test_softmax_stacks,
    };
}

}  // namespace attest::depth
