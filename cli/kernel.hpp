#pragma once

#include "core/kernels/kernel_findings.hpp"
#include "core/questions/output.hpp"

namespace attest::cli {

/// What both levels found of rows, states, gradients and heads, and what it looks like.
void add_kernel_findings(Output& output,
                         const KernelCall& call,
                         const KernelArithmetic& arithmetic,
                         const KernelFindings& findings);

}  // namespace attest::cli
