#pragma once

#include "core/exact/dyadic.hpp"

#include <cstdint>
#include <span>

namespace attest {

/// A residue modulo a prime, in [0, p).
using Residue = std::uint64_t;

/// One nonzero entry of a sparse row of residues.
struct SparseEntry {
    Index column;
    Residue value;
};

/// 2⁶¹ − 1, the prime of every exact route unless another one is asked for.
inline constexpr std::uint64_t kDefaultPrime = (std::uint64_t{1} << 61U) - 1;

/// Every prime that an exact route draws exceeds 2⁶⁰.
inline constexpr Index kPrimeBits = 60;

/// Arithmetic modulo an odd prime p < 2⁶³. Products are reduced by Barrett's method (Handbook of
/// Applied Cryptography, algorithm 14.42). Throws InvalidInput unless p is an odd prime below 2⁶³.
class Modulus {
public:
    explicit Modulus(std::uint64_t prime = kDefaultPrime);

    [[nodiscard]] std::uint64_t prime() const { return p_; }

    [[nodiscard]] Residue add(Residue a, Residue b) const {
        const Residue sum = a + b;
        return sum >= p_ ? sum - p_ : sum;
    }

    [[nodiscard]] Residue subtract(Residue a, Residue b) const {
        return a >= b ? a - b : a + (p_ - b);
    }

    [[nodiscard]] Residue negate(Residue a) const { return a == 0 ? 0 : p_ - a; }

    [[nodiscard]] Residue multiply(Residue a, Residue b) const {
        const Wide x = static_cast<Wide>(a) * b;
        const auto high = static_cast<std::uint64_t>(x >> (bits_ - 1U));
        const auto quotient =
            static_cast<std::uint64_t>((static_cast<Wide>(high) * reciprocal_) >> (bits_ + 1U));
        Wide rest = x - static_cast<Wide>(quotient) * p_;
        while (rest >= p_) {
            rest -= p_;
        }
        return static_cast<Residue>(rest);
    }

    /// Σ a_i b_i of two arrays of `count` residues, reduced once at the end.
    [[nodiscard]] Residue dot(const Residue* a, const Residue* b, Index count) const;
    /// Σ v[column]·value over the entries of a sparse row, reduced once at the end.
    [[nodiscard]] Residue dot(std::span<const SparseEntry> row, const Residue* v) const;

    [[nodiscard]] Residue power(Residue a, std::uint64_t exponent) const;
    /// 1/a. Throws InvalidInput for a = 0.
    [[nodiscard]] Residue inverse(Residue a) const;

    [[nodiscard]] Residue reduce(std::int64_t value) const;
    [[nodiscard]] Residue reduce(const Integer& value) const;
    /// m·2^e modulo p, exactly; a double throws InvalidInput when it is NaN or infinite.
    [[nodiscard]] Residue reduce(const Dyadic& value) const;
    [[nodiscard]] Residue reduce(double value) const;
    /// The representative in (−p/2, p/2).
    [[nodiscard]] std::int64_t balanced(Residue a) const;

private:
    __extension__ using Wide = unsigned __int128;

    /// low + 2⁶⁴·high.
    [[nodiscard]] Residue reduce_halves(Wide low, Wide high) const;

    std::uint64_t p_;
    unsigned bits_;                 ///< 2^(bits−1) < p < 2^bits
    std::uint64_t reciprocal_ = 0;  ///< floor(2^(2·bits) / p)
};

/// The largest prime below `bound`; bound > 3.
[[nodiscard]] std::uint64_t previous_prime(std::uint64_t bound);

/// Steele, Lea and Flood's SplitMix64: weights for screens, which decide nothing that is proved.
[[nodiscard]] constexpr std::uint64_t split_mix(std::uint64_t counter) {
    std::uint64_t x = counter * 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
}

}  // namespace attest
