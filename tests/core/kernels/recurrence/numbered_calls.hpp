#pragma once

#include "core/kernels/kernel_call.hpp"

#include <string>
#include <vector>

namespace attest::test {

/// A call whose arrays any language can make: entry i (from 0, row by row) of the array numbered a
/// is ((i+1)(7919a + 104729) mod 257 − 128)/64, exact in bfloat16; 7 tokens, K = 4, V = 3.
struct NumberedCall {
    std::string what;
    std::string kind;
    Weights arrays;
    DumpFormat format;
    /// Σ(i+1)x_i over each result, as reference programs of this suite's authors printed it.
    std::vector<std::pair<std::string, double>> sums;
};

[[nodiscard]] std::vector<NumberedCall> numbered_calls();

/// The first n entries of the array numbered a, times a factor.
[[nodiscard]] std::vector<double> numbered(int a, Index n, double factor = 1.0);

}  // namespace attest::test
