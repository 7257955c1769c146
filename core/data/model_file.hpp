#pragma once

#include "core/data/npz.hpp"
#include "core/model/parameters.hpp"

#include <string>

namespace attest {

/// A linear-attention model as a file holds it: coefficients, heads, or both.
struct Model {
    Index d = 0;
    Index o = 0;
    Matrix P;          ///< ψ×o; 0×0 when the file has heads only: then P = coefficients(heads)
    Parameters heads;  ///< has d and o of the model; no head when the file has coefficients only
    std::string meta;  ///< JSON text, possibly empty
};

/// Reads a model: key P (o,ψ), the transpose of Model::P; keys V (H,o,d) and Q (H,d,d); `meta`.
/// Throws InvalidInput of one line when there is neither P nor V and Q, when their shapes disagree,
/// or at a NaN or infinity.
[[nodiscard]] Model read_model(const NpzReader& file);
[[nodiscard]] Model read_model(const std::string& path);

/// Writes P unless it is 0×0, and the heads unless there are none beside P. Throws InvalidInput
/// when shapes disagree or a number is not finite; EnvironmentFailure when the file cannot be
/// written, and then leaves none behind.
void write_model(const std::string& path, const Model& model);

}  // namespace attest
