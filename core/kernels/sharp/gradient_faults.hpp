#pragma once

#include "core/kernels/kernel_call.hpp"
#include "core/kernels/recurrence/recurrence.hpp"

#include <string>
#include <vector>

namespace attest {

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
