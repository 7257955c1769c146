#pragma once

#include "core/exact/scalars.hpp"
#include "core/kernels/kernel_dump.hpp"

#include <vector>

namespace attest::test {

/// All that have a worst-case bound.
[[nodiscard]] std::vector<Recurrence> every_recurrence();

/// A dump of one sequence with entries that are multiples of 1/8, outputs zero.
[[nodiscard]] KernelDump small_dump(
    Recurrence recurrence, Index tokens, Index heads, Index key_dim, Index value_dim);

/// What the recurrence of head h computes, from the definition over the rationals. The gates are
/// factors.
struct ExactHead {
    MatrixOf<Rational> outputs;  ///< V×T
    MatrixOf<Rational> state;    ///< K×V, after the last token
};

[[nodiscard]] ExactHead exact_head(const KernelDump& dump, Index h);

/// Writes exact outputs and final states, to the nearest double, into the dump.
[[nodiscard]] KernelDump with_exact_outputs(KernelDump dump);

}  // namespace attest::test
