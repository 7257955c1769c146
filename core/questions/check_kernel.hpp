#pragma once

#include "core/kernels/kernel_call.hpp"
#include "core/kernels/kernel_findings.hpp"
#include "core/questions/output.hpp"
#include "core/questions/verdict.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// For which arithmetic a call of a kernel is checked.
struct KernelRequest {
    std::string accumulator = "fp32";
    std::string operands;        ///< empty: as the accumulator
    std::string output_type;     ///< empty: as the accumulator
    std::string state_type;      ///< of the final state; empty: as the accumulator
    std::optional<Index> chunk;  ///< else the call's own, else 64
    ChunkGrid grid = ChunkGrid::own;
    double slack = 1.0;
    SharpLevel sharp = SharpLevel::on;
};

struct KernelAnswer {
    KernelCall call;
    KernelArithmetic arithmetic;
    KernelFindings findings;
};

/// What the check of a call that is right is estimated to take on one thread, in seconds of the
/// machine of AuditSize; of one that is wrong, with the search for its fault, about three times as
/// much.
[[nodiscard]] double kernel_seconds(const KernelCall& call, SharpLevel sharp);

/// Is what a kernel returned what its recurrence gives, up to the rounding of this arithmetic?
/// `known`: see sharp_check(). Throws UnknownName for a precision that there is not.
[[nodiscard]] KernelAnswer check_kernel(KernelCall call,
                                        const KernelRequest& request,
                                        int threads,
                                        const std::vector<ResultSpread>& known = {});

/// Suspicious is undecided. Wrong is a proof only outside the bound.
[[nodiscard]] Decision decision(const KernelAnswer& answer);

/// The verdict in words, and which level says so.
[[nodiscard]] std::string verdict_text(const KernelFindings& findings);

/// What both levels found of rows, states, gradients and heads, and what it looks like.
[[nodiscard]] Output describe(const KernelAnswer& answer);

}  // namespace attest
