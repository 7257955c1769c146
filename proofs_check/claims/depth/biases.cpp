#include "proofs_check/claims/depth/predictions.hpp"
#include "proofs_check/claims/depth/statements.hpp"

#include <algorithm>

namespace attest::depth {

namespace {

void all_biases(StackLayer& layer) {
    layer.query_bias = layer.key_bias = layer.value_bias = layer.output_bias = true;
    layer.residual = true;
}

/// L·(H(a(2d+2−a) + v(2d+1−v) − 1) + d) − (L−1)d.
Index linear_with_biases(const Sizes& s) {
    const Index head = s.a * (2 * s.d + 2 - s.a) + s.v * (2 * s.d + 1 - s.v) - 1;
    return s.layers * (s.heads * head + s.d) - (s.layers - 1) * s.d;
}

/// L·(H·e + Ha + d) − (L−1)d.
Index softmax_with_biases(const Sizes& s) {
    return s.layers * (softmax_layer(s) + s.heads * s.a + s.d) - (s.layers - 1) * s.d;
}

Index forgets_the_shift(const Sizes& s) {
    return linear_with_biases(s) + (s.layers - 1) * s.d;
}

Index softmax_forgets_the_shift(const Sizes& s) {
    return softmax_with_biases(s) + (s.layers - 1) * s.d;
}

/// One softmax layer whose outputs have no bias: H·e + Ha + min(d, Hv).
Index without_output_bias(const Sizes& s) {
    return softmax_layer(s) + s.heads * s.a + std::min(s.d, s.heads * s.v);
}

Evidence test_biases(const ClaimContext& /*context*/) {
    Evidence evidence;
    const std::vector<Sizes> linear{
        {2, 1, 1, 1}, {2, 1, 1, 2}, {3, 1, 1, 2}, {3, 2, 2, 1}, {3, 2, 2, 2}};
    const std::vector<Sizes> deep{
        {2, 1, 1, 1, 2}, {3, 1, 1, 2, 2}, {3, 2, 2, 1, 2}, {3, 1, 1, 2, 3}};
    const std::vector<Sizes> softmax{{2, 1, 1, 1}, {3, 2, 2, 1}, {3, 1, 1, 2}};
    const std::vector<Sizes> two{{2, 1, 1, 1, 2}, {3, 1, 1, 2, 2}, {3, 2, 2, 1, 2}};
    const SharedTest law(evidence, all_proved);
    law.check(Form::tested,
              std::string("linear, one layer"),
              predictions(linear, 3, all_biases, linear_with_biases));
    const std::vector<Prediction> stacks = predictions(deep, 3, all_biases, linear_with_biases);
    law.check(Form::tested, std::string("linear stacks"), stacks);
    law.control(std::string("linear stacks, a constant between layers forgotten"),
                predicted_by(deep, stacks, forgets_the_shift));
    const auto with_softmax = [](StackLayer& layer) {
        all_biases(layer);
        layer.score = StackScore::softmax;
    };
    law.check(Form::tested,
              std::string("softmax, one layer"),
              predictions(softmax, 3, with_softmax, softmax_with_biases));
    const std::vector<Prediction> softmax_two =
        predictions(two, 3, with_softmax, softmax_with_biases);
    law.check(Form::tested, std::string("softmax, two layers"), softmax_two);
    law.control(std::string("softmax, a constant between layers forgotten"),
                predicted_by(two, softmax_two, softmax_forgets_the_shift));
    law.check(Form::tested,
              std::string("softmax, one layer, no output bias"),
              predictions(
                  softmax,
                  3,
                  [&](StackLayer& layer) {
                      with_softmax(layer);
                      layer.output_bias = false;
                  },
                  without_output_bias));
    return evidence;
}

}  // namespace

Claim biases() {
    return {
        .id = "depth/biases",
        .paper = "docs/depth.md",
        .place = "Laws, biases",
        .tested =
            "all biases and residual connections, three tokens: L linear layers have L(H(a(2d+2-a) "
            "+ v(2d+1-v) - 1) + d) - (L-1)d dimensions, L softmax layers L(H(a(2d-a) + v(2d-v)) + "
            "Ha + d) - (L-1)d; one softmax layer without output biases H(a(2d-a) + v(2d-v)) + Ha + "
            "min(d, Hv). For the sizes listed",
        .depends_on = "depth/residual depth/softmax_stacks",
        .method = Method::exact,
        .explain =
            "Beside bases and scales a constant c is lost between each two layers: the output bias "
            "of one takes c more, the next one's biases of queries, keys and values take it out "
            "again, and its output bias takes it from the stream. Softmax loses the key biases, "
            "and value biases against the output bias. All are fields, so the bound is proved for "
            "all sizes; each size listed meets it.",
        .run = test_biases,
    };
}

}  // namespace attest::depth
