#pragma once

#include "core/moments/gram_kernel.hpp"

#include <string>
#include <string_view>

namespace attest::cli {

/// What to set where OpenBLAS answers with kernels that leave this processor's vectors unused: it
/// takes its oldest for a processor newer than itself. `core` is the kernel's name as OpenBLAS has
/// it, `widest` what the processor can do; empty where nothing is lost, or the name is another's.
[[nodiscard]] std::string blas_advice(std::string_view core, Isa widest);

}  // namespace attest::cli
