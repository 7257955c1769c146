#pragma once

#include "core/kernels/kernel_dump.hpp"

#include <cstdint>

namespace attest::test {

/// What a chunked kernel of one gate a token leaves out, or has wrong.
enum class ChunkFault : std::uint8_t {
    none,
    decay_in_matrix,  ///< the triangular matrix of the corrections has no decays
    beta_in_matrix,
    sign_of_matrix,
    decay_in_scores,
    own_scores,       ///< the diagonal of the scores
    outputs_from_250  ///< head 1 is zero from token 250 on
};

/// A dump of a gated delta rule, or of simple-gla, in float32, whose outputs are computed in float
/// in chunks of 64 tokens with loops from the definition: two heads, K = V = 24.
[[nodiscard]] KernelDump chunked_dump(Recurrence recurrence, Index tokens, ChunkFault fault);

}  // namespace attest::test
