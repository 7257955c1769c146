#pragma once

#include "core/data/dataset.hpp"
#include "core/data/model_file.hpp"
#include "core/trained/imported_layer.hpp"

#include <string>
#include <vector>

namespace attest {

/// A layer of softmax attention, y = Σ_h V_h Σ_t p_t z̃_t + direct·z̃ with p = softmax_t(τ z̃_tᵀ Q_h
/// z̃), z̃ the token that asks. Tokens are z̃ = z, or (1, z) where the layer has biases; every token
/// of the sequence is attended to, of a prefix every token so far.
struct SoftmaxLayer {
    Index d = 0;              ///< entries of z
    Index o = 0;              ///< outputs
    bool biased = false;      ///< z̃ = (1, z)
    std::vector<Head> heads;  ///< V o×d̃, Q d̃×d̃
    Matrix direct;            ///< o×d̃, the output's bias in column 0; 0×0 without one
    double tau = 1.0;         ///< every score is multiplied by it: 1/temperature
};

/// The heads of a model, with a softmax over the scores in place of the plain sum. Throws
/// InvalidInput, naming the layer, unless the model has heads of `linear` or `affine`.
[[nodiscard]] SoftmaxLayer softmax_layer(const Model& model);

/// Tokens that one example attends to, and which of them asks: columns of Dataset::tokens.
struct AttendedTokens {
    Index first = 0;
    Index count = 0;
    Index query = 0;
};

/// One entry for each example, in order; of a data set without labels for each sequence.
[[nodiscard]] std::vector<AttendedTokens> attended_tokens(const Dataset& data);

/// (1, z_t) of tokens z_t, a column each.
[[nodiscard]] Matrix with_constant(const Eigen::Ref<const Matrix>& tokens);

/// z̃_t of these tokens: with_constant where the layer has biases.
[[nodiscard]] Matrix lifted_tokens(const SoftmaxLayer& layer,
                                   const Eigen::Ref<const Matrix>& tokens);

/// Whether the layer is `affine` and nothing else.
[[nodiscard]] bool is_affine(const Layer& layer);

/// The layer's output on every example: o×num_examples. O(T n d²) for n tokens each. Throws
/// InvalidInput where the tokens have another size, or a score is not finite.
[[nodiscard]] Matrix outputs(const SoftmaxLayer& layer, const Dataset& data);

/// The data set with the layer's outputs for labels.
[[nodiscard]] Dataset labelled_by(const SoftmaxLayer& layer, Dataset data);

/// Reads a softmax layer, told apart by its arrays: V and Q, the model that `attest import` writes;
/// Theta and W, or truth_Theta and truth_W, the heads of `attest softmax`; anything else is weights
/// of a trained layer (.safetensors or .npz), names behind `prefix`, read as `request` says. Throws
/// InvalidInput of one line where it is none of these.
[[nodiscard]] SoftmaxLayer read_softmax_layer(const std::string& path,
                                              const std::string& prefix,
                                              const ImportRequest& request);

}  // namespace attest
