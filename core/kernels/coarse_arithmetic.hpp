#pragma once

#include "core/kernels/kernel_check.hpp"

namespace attest {

// Which arithmetic coarser than the stated one would account for the outputs of these heads of one
// sequence; at most one of each sort.

/// The outputs are numbers of a coarser format, and right when stored in it.
[[nodiscard]] std::vector<Likeness> coarse_outputs(const KernelDump& dump,
                                                   const KernelArithmetic& arithmetic,
                                                   const std::vector<Index>& heads);

/// Rounding the state after each token, or each chunk, leaves less than half of the squared error
/// of the tokens up to 256 behind `first`, the first wrong one.
[[nodiscard]] std::vector<Likeness> coarse_state(const KernelDump& dump,
                                                 const KernelArithmetic& arithmetic,
                                                 const std::vector<Index>& heads,
                                                 Index first);

/// All is within the bounds of coarser factors of matrix products, or of a coarser accumulator;
/// these decide every row; no row is off by more than 32 roundings of its size, or of the rows'
/// root mean square where that is larger; and what no common factor explains is, in root mean
/// square, between 1/8 and 8 of them: a bound alone lets errors pass that no rounding makes.
[[nodiscard]] std::vector<Likeness> coarse_products(const KernelDump& dump,
                                                    const KernelArithmetic& arithmetic,
                                                    const std::vector<Index>& heads);

}  // namespace attest
