#pragma once

#include "core/algebra/matrix.hpp"
#include "core/exact/reals.hpp"

#include <vector>

namespace attest {

/// Coefficients rounded to double, and what share of them vanished below the least double: of the
/// coefficients themselves, and of those of scaled tokens.
struct RoundedCoefficients {
    Matrix P;
    double vanished = 0.0;
    double vanished_scaled = 0.0;
};

/// The nearest doubles. Row p of scaled tokens' coefficients is 2^exponents[p] times that of P; no
/// exponents: they are the same. Throws InvalidInput where a coefficient is beyond the largest
/// double, or where a tenth of either vanishes.
[[nodiscard]] RoundedCoefficients rounded(const MatrixOf<Real50>& P,
                                          const std::vector<int>& exponents);

}  // namespace attest
