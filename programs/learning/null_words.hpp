#pragma once

#include "core/certify/learner.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace attest {

/// One residue modulo each of word_moduli().
using Words = std::array<Residue, 2>;

/// Two primes between 2⁶⁰ and 2⁶¹, drawn pseudorandomly: each is the first one below a uniform
/// number.
[[nodiscard]] const std::array<Modulus, 2>& word_moduli();

/// Random weights modulo the two primes, the n-th pair of a stream.
[[nodiscard]] Words random_words(std::uint64_t n);

/// An integer vector c ≠ 0 with |c_i| < 2^kWordBits has Σ c_i·weight_i = 0 modulo both primes with
/// probability below 2^−kWordErrorBits over primes and weights: at most 36000/60 = 600 primes above
/// 2⁶⁰ divide every c_i, each is drawn with probability at most 1550·2⁻⁶⁰ (no gap between primes
/// below 2⁶⁴ is longer), and a prime that does not divide them lets 2⁻⁶⁰ of the weights pass:
/// (600·1550 + 1)²·2⁻¹²⁰ < 2⁻⁸⁰.
inline constexpr int kWordErrorBits = 80;
inline constexpr Index kWordBits = 36000;

/// A functional over all features: a random combination of all null vectors, those of the classes
/// and, for columns outside the representatives, column = ± representative or column = 0. It
/// vanishes on the row space, and elsewhere with the probability above. Throws NotAvailable when
/// null vectors are too long for it.
[[nodiscard]] std::vector<Words> null_words(const RowSpan& span);

/// Whether the functional vanishes on the row.
[[nodiscard]] bool vanishes(const std::vector<Words>& functional,
                            std::span<const IntegerEntry> row);

}  // namespace attest
