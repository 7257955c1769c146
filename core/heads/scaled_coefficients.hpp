#pragma once

#include "core/model/parameters.hpp"

namespace attest {

/// Coefficients divided by a power of two that brings the largest near 1, where they are so far
/// from 1 that their squares would overflow or vanish; else as they are.
struct ScaledCoefficients {
    Matrix P;          ///< P·2^−exponent
    int exponent = 0;  ///< 0 where the largest coefficient lies between 2^±300
};

[[nodiscard]] ScaledCoefficients scaled_coefficients(const Matrix& P);

/// The heads of 2^exponent times the function: half of the power for V, half for Q.
[[nodiscard]] Parameters times_power(Parameters heads, int exponent);

}  // namespace attest
