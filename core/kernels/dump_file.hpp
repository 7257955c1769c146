#pragma once

#include "core/kernels/kernel_dump.hpp"
#include "core/trained/weights.hpp"

#include <optional>

namespace attest {

/// Which axis of a dump's arrays comes first behind the batch.
enum class DumpLayout : std::uint8_t { time_first, head_first };

/// What a dump's arrays do not say themselves.
struct DumpFormat {
    Recurrence recurrence = Recurrence::linear;
    DumpLayout layout = DumpLayout::time_first;
    std::optional<double> scale = {};  ///< else the array `scale`, else 1/√K
    double epsilon = 0.0;
};

/// Reads q, k (B,T,H,K), v, o (B,T,H,V), without B or without B and H where these are 1; with
/// head_first T and H are exchanged. Further g (natural logarithms of the gates) or gates: one a
/// token and head, for gla one a row of the state as well; decay (H) for retention; beta (B,T,H)
/// for the delta rules; initial_state, final_state (B,H,K,V); scale. An .npz or .safetensors file.
/// Throws InvalidInput of one line for an array that is missing, that this recurrence does not
/// read, of another shape, or that holds NaN or infinities; only o may.
[[nodiscard]] KernelDump read_kernel_dump(const std::string& path, const DumpFormat& format);

/// The same of arrays that have been read.
[[nodiscard]] KernelDump kernel_dump(Weights file, const DumpFormat& format);

}  // namespace attest
