#pragma once

#include "core/data/dataset.hpp"
#include "core/rng/stream.hpp"

namespace attest::test {

/// A d×n matrix of grid normals.
[[nodiscard]] Matrix normal_matrix(Index rows, Index cols, const Stream& stream);

/// Parameters with H heads of grid normals.
[[nodiscard]] Parameters normal_parameters(Index d, Index o, Index heads, const Stream& stream);

/// N sequences of n grid-normal tokens with the labels of `theta` (Definition 2.1, in double).
[[nodiscard]] Dataset planted_dataset(const Parameters& theta,
                                      Index num_sequences,
                                      Index n,
                                      const Stream& stream);

/// A matrix with orthonormal factors and the given singular values, rows ≥ cols = sigma.size().
[[nodiscard]] Matrix matrix_with_singular_values(Index rows,
                                                 const Vector& sigma,
                                                 const Stream& stream);

}  // namespace attest::test
