#pragma once

#include "core/data/dataset.hpp"
#include "core/rng/stream.hpp"

#include <cstdint>
#include <string_view>

namespace attest {

/// What makes the cubic features of a data set ill conditioned.
enum class Degeneracy : std::uint8_t {
    dependent,  ///< the last coordinate of every token is nearly the first: whitening removes it
    unitary,    ///< orthonormal keys and values, nearly: nothing linear removes it
};

[[nodiscard]] std::string_view to_string(Degeneracy degeneracy);

struct ConditionedDataOptions {
    Index d = 4;                ///< even for `unitary`
    Index o = 2;                ///< outputs
    Index num_sequences = 200;  ///< N
    double condition = 10.0;    ///< cond(H) aimed at, to about an order of magnitude
    double noise = 0.1;         ///< of the labels, standard deviation
};

/// Sequences whose features have about the condition asked for, and labels of a random layer of one
/// head plus noise. `dependent`: n = 8 Gaussian tokens, the last coordinate off the first by
/// (20/condition)^(1/3). `unitary`: keys and values orthonormal up to √(2/condition), the query a
/// key.
/// Throws InvalidInput on an odd d for `unitary` or a condition below 1.
[[nodiscard]] Dataset conditioned_data(Degeneracy degeneracy,
                                       const ConditionedDataOptions& options,
                                       const Stream& stream);

}  // namespace attest
