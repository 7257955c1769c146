#include "core/distil/softmax_layer.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/data/model_arrays.hpp"
#include "core/softmax/attention.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {

namespace {

/// Σ_t p_t z̃_t of one head.
Vector attended(const Head& head, double tau, const Matrix& lifted, const Vector& asking) {
    const Vector scores = tau * (lifted.transpose() * (head.Q * asking));
    require(scores.allFinite(), "softmax layer: a score is beyond the largest double");
    const std::vector<double> p = softmax_weights({scores.begin(), scores.end()});
    return lifted * Eigen::Map<const Vector>(p.data(), scores.size());
}

/// Y = Σ_t p_t Wᵀx_t with scores x_aᵀ Θ x_t (core/softmax/attention.hpp): V = Wᵀ, Q = Θᵀ.
SoftmaxLayer layer_of_softmax_heads(const std::string& path,
                                    const std::string& key_W,
                                    const std::string& key_Theta) {
    const Parameters heads = *read_heads(NpzReader::open(path), key_W, key_Theta);
    SoftmaxLayer layer{heads.d, heads.d, false, {}, {}, 1.0};
    for (const Head& head : heads.heads) {
        require(head.V.rows() == heads.d,
                "{}: {} is {}x{}, expected square",
                path,
                key_W,
                head.V.rows(),
                head.V.cols());
        layer.heads.push_back({head.V.transpose(), head.Q.transpose()});
    }
    require(!layer.heads.empty(), "{}: {} holds no head", path, key_W);
    return layer;
}

}  // namespace

SoftmaxLayer softmax_layer(const Model& model) {
    const bool affine = is_affine(model.layer);
    require(model.layer.is_linear() || affine,
            "softmax layer: got heads of the layer {}, expected linear or affine: a softmax over "
            "other sums is not read",
            to_string(model.layer));
    SoftmaxLayer layer{model.d, model.o, affine, {}, {}, 1.0};
    layer.heads = model.heads.heads;
    for (const LayerHead& head : model.layer_heads.heads) {
        layer.heads.push_back({head.V, head.Q});
    }
    require(!layer.heads.empty(),
            "softmax layer: the model has coefficients only, expected heads V and Q");
    layer.direct = model.layer_heads.direct;
    return layer;
}

std::vector<AttendedTokens> attended_tokens(const Dataset& data) {
    std::vector<AttendedTokens> examples;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        const Index first = data.first_token(i);
        if (data.labels != LabelKind::per_prefix) {
            examples.push_back({first, data.length(i), data.query_token(i)});
            continue;
        }
        for (Index t = 0; t < data.length(i); ++t) {
            examples.push_back({first, t + 1, first + t});
        }
    }
    return examples;
}

Matrix with_constant(const Eigen::Ref<const Matrix>& tokens) {
    Matrix lifted = Matrix::Ones(tokens.rows() + 1, tokens.cols());
    lifted.bottomRows(tokens.rows()) = tokens;
    return lifted;
}

Matrix lifted_tokens(const SoftmaxLayer& layer, const Eigen::Ref<const Matrix>& tokens) {
    return layer.biased ? with_constant(tokens) : Matrix(tokens);
}

bool is_affine(const Layer& layer) {
    Layer affine;
    affine.affine = true;
    return layer == affine;
}

Matrix outputs(const SoftmaxLayer& layer, const Dataset& data) {
    require(data.d() == layer.d,
            "softmax layer: the tokens have {} entries, expected {} as the layer's weights",
            data.d(),
            layer.d);
    const Matrix lifted = lifted_tokens(layer, data.tokens.view());
    const std::vector<AttendedTokens> examples = attended_tokens(data);
    Matrix y = Matrix::Zero(layer.o, std::ssize(examples));
    for (Index i = 0; i < y.cols(); ++i) {
        const auto [first, count, query] = examples[static_cast<std::size_t>(i)];
        const Matrix seen = lifted.middleCols(first, count);
        const Vector asking = lifted.col(query);
        for (const Head& head : layer.heads) {
            y.col(i) += head.V * attended(head, layer.tau, seen, asking);
        }
        if (layer.direct.size() > 0) {
            y.col(i) += layer.direct * asking;
        }
    }
    return y;
}

Dataset labelled_by(const SoftmaxLayer& layer, Dataset data) {
    data.y = outputs(layer, data);
    if (data.labels == LabelKind::none) {
        data.labels = LabelKind::per_sequence;
    }
    data.truth = {};
    check(data);
    return data;
}

SoftmaxLayer read_softmax_layer(const std::string& path,
                                const std::string& prefix,
                                const ImportRequest& request) {
    const Weights weights = read_weights(path, prefix);
    if (weights.contains("V") && weights.contains("Q")) {
        return softmax_layer(read_model(path));
    }
    for (const std::string start : {"", "truth_"}) {
        if (weights.contains(start + "Theta") && weights.contains(start + "W")) {
            return layer_of_softmax_heads(path, start + "W", start + "Theta");
        }
    }
    return softmax_layer(imported_layer(weights, request));
}

}  // namespace attest
