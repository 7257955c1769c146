#pragma once

#include "tests/reference/rational.hpp"

namespace attest::reference {

/// Reduced row echelon form by Gauss and Jordan over Q, zero rows dropped.
[[nodiscard]] Rows reference_echelon(Rows A);

[[nodiscard]] std::size_t reference_rank(const Rows& A);

/// A basis of {v : A v = 0}, one vector for each column without pivot.
[[nodiscard]] Rows reference_null_space(const Rows& A);

/// Determinant by Gaussian elimination; A is square.
[[nodiscard]] Rational reference_determinant(Rows A);

}  // namespace attest::reference
