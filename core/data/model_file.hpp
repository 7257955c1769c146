#pragma once

#include "core/data/archive/npz.hpp"
#include "core/layers/layer_heads.hpp"
#include "core/model/parameters.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attest {

/// A model as a file holds it: coefficients, heads, or both, and the layer that they are of.
struct Model {
    Index d = 0;
    Index o = 0;
    Matrix P;          ///< ψ×o; 0×0 when the file has heads only: then P = coefficients(heads)
    Parameters heads;  ///< has d and o of the model; no head when the file has coefficients only,
                       ///< nor for another layer than the paper's
    std::string meta;  ///< JSON text, possibly empty
    Layer layer = {};
    LayerInput input = {};        ///< sizes that the layer reads; of another layer than the paper's
    LayerHeads layer_heads = {};  ///< of another layer than the paper's, where it has heads

    [[nodiscard]] FeatureLayout layout() const {
        return layer.is_linear() ? FeatureLayout(d) : layout_of(layer, input);
    }
};

/// Reads a model: key P (o,ψ), the transpose of Model::P; keys V (H,o,d) and Q (H,d,d); `meta`. Of
/// another layer than the paper's also `layer` (its text), `sizes` (d, x, phi, s, u), `kernel` (H)
/// and, for affine ones, `direct` (o,m). Throws InvalidInput of one line when there is neither P
/// nor V and Q, when their shapes disagree, or at a NaN or infinity.
[[nodiscard]] Model read_model(const NpzReader& file);
[[nodiscard]] Model read_model(const std::string& path);

/// Writes P unless it is 0×0, and the heads unless there are none beside P. Throws InvalidInput
/// when shapes disagree or a number is not finite; EnvironmentFailure when the file cannot be
/// written, and then leaves none behind.
void write_model(const std::string& path, const Model& model);

/// The bytes of that file.
[[nodiscard]] std::vector<std::byte> model_bytes(const Model& model);

/// The model of another layer than the paper's, from a file with the key `layer`. Throws
/// InvalidInput of one line where text, sizes, coefficients and heads do not fit each other.
[[nodiscard]] Model read_layer_model(const NpzReader& file);

/// Adds what such a model has beside P and meta.
void add_layer(NpzWriter& file, const Model& model);

}  // namespace attest
