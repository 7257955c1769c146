#include "proofs_check/claims/depth/predictions.hpp"
#include "proofs_check/claims/depth/statements.hpp"

#include <algorithm>

namespace attest::depth {

namespace {

/// Sizes, and an MLP of `width` neurons.
struct Block {
    Sizes sizes;
    Index width;
};

const std::vector<Block>& blocks() {
    static const std::vector<Block> kBlocks{
        {{2, 1, 1, 1, 1}, 3}, {{3, 1, 1, 2, 1}, 4}, {{2, 1, 1, 1, 2}, 3}, {{3, 1, 1, 2, 2}, 3}};
    return kBlocks;
}

void softmax_block(StackLayer& layer) {
    layer.score = StackScore::softmax;
    layer.residual = true;
}

void gelu_block(StackLayer& layer) {
    softmax_block(layer);
    layer.activation = Activation::gelu;
    layer.mlp_biases = true;
}

void transformer_block(StackLayer& layer) {
    gelu_block(layer);
    layer.query_bias = layer.key_bias = layer.value_bias = layer.output_bias = true;
    layer.norm = StackNorm::rms_gain;
}

void relu_block(StackLayer& layer) {
    softmax_block(layer);
    layer.activation = Activation::relu;
}

/// L·(H·e + 2dm + m + d).
Index gelu_sum(const Block& b) {
    const Index d = b.sizes.d;
    return b.sizes.layers * (softmax_layer(b.sizes) + 2 * d * b.width + b.width + d);
}

/// Less a constant between layers that the next queries do not see.
Index with_gelu(const Block& b) {
    return gelu_sum(b) -
           (b.sizes.layers - 1) * std::max(Index{0}, b.sizes.d - b.sizes.heads * b.sizes.a);
}

/// L·(H·e + Ha + d + 2dm + m + d).
Index of_a_transformer(const Block& b) {
    return gelu_sum(b) + b.sizes.layers * (b.sizes.heads * b.sizes.a + b.sizes.d);
}

/// L·(H·e + 2dm − m).
Index with_relu(const Block& b) {
    return b.sizes.layers * (softmax_layer(b.sizes) + 2 * b.sizes.d * b.width - b.width);
}

template <class Change, class Law>
std::vector<Prediction> of_blocks(const Change& change, const Law& law) {
    std::vector<Prediction> said;
    for (const Block& block : blocks()) {
        said.push_back({stack_of(block.sizes,
                                 [&](StackLayer& layer) {
                                     change(layer);
                                     layer.width = block.width;
                                 }),
                        3,
                        law(block)});
    }
    return said;
}

Evidence test_transformer(const ClaimContext& /*context*/) {
    Evidence evidence;
    const SharedTest law(evidence, all_met, kMetInDoubles);
    law.check(
        Form::tested, std::string("softmax, gelu with biases"), of_blocks(gelu_block, with_gelu));
    law.control(std::string("softmax, gelu with biases, the constant forgotten"),
                of_blocks(gelu_block, gelu_sum));
    law.check(Form::tested,
              std::string("softmax, all biases, norms with gain, gelu"),
              of_blocks(transformer_block, of_a_transformer));
    law.check(Form::tested,
              std::string("softmax, relu without biases, at the parameters drawn"),
              of_blocks(relu_block, with_relu));
    return evidence;
}

}  // namespace

Claim transformer() {
    return {
        .id = "depth/transformer",
        .paper = "docs/depth.md",
        .place = "Laws, transformer blocks",
        .tested =
            "softmax attention and an MLP of m neurons, residual connections, three tokens, E = "
            "H(a(2d-a) + v(2d-v)): gelu with biases has L(E + 2dm + m + d) - (L-1) max(0, d - Ha) "
            "dimensions; with all biases and RMS norms with gain besides L(E + Ha + d + 2dm + m + "
            "d); relu without biases L(E + 2dm - m) at the parameters drawn. For the sizes listed, "
            "in doubles",
        .depends_on = "depth/biases depth/norms",
        .method = Method::property,
        .explain =
            "Upper bounds are proved for all sizes, by fields. A constant c with Q_h c = 0 for all "
            "heads passes the next attention, whose weights sum to 1, and the MLP behind takes it "
            "out: d - Ha dimensions, which norms destroy. That the bounds are met is seen in "
            "doubles, and is no proof. Relu ranks hold in the cell of the parameters drawn: with "
            "biases, neurons that no input switches lower them, so no law is claimed there.",
        .run = test_transformer,
    };
}

}  // namespace attest::depth
