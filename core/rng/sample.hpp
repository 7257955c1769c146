#pragma once

#include "core/algebra/matrix.hpp"
#include "core/rng/grid_law.hpp"
#include "core/rng/stream.hpp"

namespace attest {

/// Discrete Gaussian on multiples z of 2⁻¹⁰ with |z| ≤ 8: p(z) ∝ exp(−z²/2), rounded to weights of
/// 2⁻⁶⁴ by integer recurrences. Symmetric; m2 and the other moments are exact rationals within 2⁻⁴⁰
/// of a normal law's. Cubic features of sequences up to n = 16384 are exact in double.
[[nodiscard]] const GridLaw& grid_normal();

/// Two-sided exponential of scale 1 on multiples of 2⁻¹⁰ with |z| ≤ 16: p(z) ∝ exp(−|z|). Exact
/// features to n = 2048.
[[nodiscard]] const GridLaw& grid_laplace();

/// Exactly uniform on the 2048 odd multiples of 2⁻¹¹ in (−1, 1).
[[nodiscard]] const GridLaw& grid_uniform();

/// −1, 0, 1 with P(0) = zero_weight·2⁻⁶⁴, which must be even and positive; −1 and 1 share the rest.
[[nodiscard]] GridLaw three_point(std::uint64_t zero_weight);

/// ±1 with probability 1/2 each.
[[nodiscard]] GridLaw rademacher();

/// 1 with probability one_weight·2⁻⁶⁴ (positive), otherwise 0.
[[nodiscard]] GridLaw bernoulli(std::uint64_t one_weight);

/// ⌊p·2⁶⁴⌋. Throws InvalidInput unless 0 < p < 1 and the result is positive.
[[nodiscard]] std::uint64_t probability_weight(double p);

/// rows×cols independent draws; entry (i, j) belongs to word j·rows + i, so fewer columns are a
/// prefix.
[[nodiscard]] Matrix grid_matrix(const GridLaw& law, Index rows, Index cols, const Stream& stream);

/// A uniform permutation of 0 … n−1 (Fisher–Yates).
[[nodiscard]] std::vector<Index> random_permutation(Index n, const Stream& stream);

}  // namespace attest
