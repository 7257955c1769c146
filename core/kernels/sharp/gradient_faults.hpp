#pragma once

#include "core/kernels/kernel_call.hpp"
#include "core/kernels/recurrence/recurrence.hpp"

#include <array>
#include <string>
#include <vector>

namespace attest {

/// The chunks that mistakes are tried with, the likelier first.
inline constexpr std::array<Index, 5> kChunksTried{64, 128, 32, 16, 256};

/// A mistake of a pass back with its name and what to tell people.
struct GradientFault {
    PlantedFault planted;
    std::string name;
    std::string sentence;
};

/// The mistakes that can show in a sequence of this call, the likelier first; those of chunks for
/// chunks of 16 to 256 tokens.
[[nodiscard]] std::vector<GradientFault> gradient_faults(const KernelCall& call, Index sequence);

/// "dk_read_missing".
[[nodiscard]] std::string_view to_string(BackwardFault fault);

}  // namespace attest
