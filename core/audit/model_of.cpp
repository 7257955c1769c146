#include "core/audit/model_of.hpp"

#include "core/heads/split_heads.hpp"

namespace attest {

bool is_linear(const MomentSource& source) {
    const SequenceSource* const data = source.sequences();
    return data == nullptr || data->shape().layer.is_linear();
}

Model model_of(const MomentSource& source, const Matrix& P) {
    if (is_linear(source)) {
        const Index d = source.shape().m();
        return {d, P.cols(), P, split_heads(P, d).heads, ""};
    }
    const SequenceShape data = source.sequences()->shape();
    Model model{data.d, P.cols(), P, {data.d, P.cols(), {}}, "", data.layer};
    model.input = data.input;
    if (has_heads(data.layer)) {
        model.layer_heads = split_layer(P, data.layer, model.input);
    }
    return model;
}

Index num_heads(const Model& model) {
    return model.layer.is_linear() ? model.heads.num_heads() : std::ssize(model.layer_heads.heads);
}

}  // namespace attest
