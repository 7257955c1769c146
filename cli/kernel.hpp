#pragma once

#include "core/kernels/kernel_check.hpp"
#include "core/questions/output.hpp"

namespace attest::cli {

/// Rows and states outside, each head's verdict, the first wrong place and what it looks like.
void add_kernel_findings(Output& output,
                         const KernelDump& dump,
                         const KernelArithmetic& arithmetic,
                         const KernelCheck& check);

}  // namespace attest::cli
