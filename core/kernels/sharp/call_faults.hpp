#pragma once

#include "core/kernels/recurrence/call_results.hpp"

#include <functional>
#include <string>
#include <vector>

namespace attest {

/// Which results of a kernel a mistake changes: those of the pass forward, or gradients alone.
enum class FaultPass : std::uint8_t { forward, back };

/// A mistake that kernels of every kind make, as what a call of such a kernel would give.
struct CallFault {
    FaultPass pass = FaultPass::forward;
    std::string name;
    std::string sentence;
    /// What it gives for a group of heads; a result that is not there is not said.
    std::function<CallResults<long double>(const KernelCall&, const HeadGroup&)> results;
};

/// The call without the gradients that came back to it or that it made: its pass forward alone.
[[nodiscard]] KernelCall without_gradients(KernelCall call);

/// The array of logarithms that the state decays by, token by token; "" where there is none.
[[nodiscard]] std::string log_gates_of(const KernelCall& call);

/// The mistakes that can show in these heads, the likelier first; those of chunks for chunks of 16
/// to 256 tokens. Each costs an evaluation of the group or a few.
[[nodiscard]] std::vector<CallFault> call_faults(const KernelCall& call, const HeadGroup& group);

}  // namespace attest
