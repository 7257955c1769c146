#pragma once

#include "core/kernels/kernel_dump.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attest {

/// Which heads a fault shows in: each by itself, or all of a sequence at once.
enum class MutantReach : std::uint8_t { head, sequence };

/// A known fault of kernels, as a change of what the kernel read or wrote: the outputs of a faulty
/// kernel on a dump are the right ones on the changed dump.
struct KernelMutant {
    std::string name;      ///< "scale_missing"
    std::string sentence;  ///< for people
    MutantReach reach = MutantReach::head;
    /// The changed dump of one sequence, or nothing where the fault changes nothing.
    std::function<std::optional<KernelDump>(const KernelDump&)> change;
};

/// The faults that are tried, the likelier first; those of one kind with chunk sizes 16 to 256.
[[nodiscard]] std::vector<KernelMutant> kernel_mutants();

/// The dump of one sequence alone.
[[nodiscard]] KernelDump one_sequence(const KernelDump& dump, Index b);

// The groups, in files of their own.
[[nodiscard]] std::vector<KernelMutant> scale_and_state_mutants();
[[nodiscard]] std::vector<KernelMutant> chunk_mutants();
[[nodiscard]] std::vector<KernelMutant> layout_mutants();
[[nodiscard]] std::vector<KernelMutant> gate_mutants();
[[nodiscard]] std::vector<KernelMutant> delta_mutants();
[[nodiscard]] std::vector<KernelMutant> normaliser_mutants();

}  // namespace attest
