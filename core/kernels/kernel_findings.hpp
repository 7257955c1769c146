#pragma once

#include "core/kernels/kernel_call.hpp"
#include "core/kernels/kernel_check.hpp"
#include "core/kernels/sharp/sharp_check.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace attest {

/// What is said of a kernel, the better first but for `undecided`, of which nothing is known.
enum class KernelVerdict : std::uint8_t { right, undecided, suspicious, wrong };

[[nodiscard]] std::string_view to_string(KernelVerdict verdict);

/// Whether results are compared with the spread of right kernels as well.
enum class SharpLevel : std::uint8_t { on, off };

/// Both levels of a check. A worst-case bound proves what it calls wrong; the sharp level notices
/// what the bound lets pass, and judges gradients and kinds without a bound alone.
struct KernelFindings {
    std::vector<KernelDump> dumps;   ///< as the bound takes them; empty: there is none
    std::vector<KernelCheck> parts;  ///< of each dump
    KernelCheck bound;               ///< of all sequences, in their order
    std::optional<SharpCheck> sharp;
    KernelVerdict verdict = KernelVerdict::undecided;

    [[nodiscard]] bool has_bound() const { return !dumps.empty(); }
};

/// Checks a call. Wrong: outside the bound, NaN, what a known fault gives, or, where no bound
/// speaks, a hundred times beyond the sharp level. Suspicious: beyond the sharp level. Undecided:
/// neither level says anything. `known`: see sharp_check().
[[nodiscard]] KernelFindings check_call(const KernelCall& call,
                                        const KernelArithmetic& arithmetic,
                                        SharpLevel level,
                                        int threads,
                                        const std::vector<ResultSpread>& known = {});

/// What a call that is outside its bound looks like: diagnose_kernel() of the dump with the first
/// wrong place.
[[nodiscard]] std::vector<Likeness> diagnose_call(const KernelArithmetic& arithmetic,
                                                  const KernelFindings& findings);

}  // namespace attest
