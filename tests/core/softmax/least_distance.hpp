#pragma once

#include "core/algebra/matrix.hpp"

#include <optional>

namespace attest::test {

/// x ≥ 0 of least ‖E x − f‖, by Lawson and Hanson's active sets (Solving Least Squares Problems,
/// 1974, chapter 23). E is r×T. O(r p²) an iteration, p the number of positive entries, at most 3T
/// iterations.
[[nodiscard]] Vector nonnegative_least_squares(const Matrix& E, const Vector& f);

/// The point of least norm with G x ≥ h (rows of G), by least-distance programming (chapter 23.4);
/// nothing when no point satisfies the inequalities.
[[nodiscard]] std::optional<Vector> least_distance(const Matrix& G, const Vector& h);

}  // namespace attest::test
