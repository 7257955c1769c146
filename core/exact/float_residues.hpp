#pragma once

#include "core/base/shape.hpp"
#include "core/exact/modulus.hpp"

#include <cstdint>

namespace attest {

// Residues modulo p < 2²² as whole doubles of least size, for exact sums of products by dgemm.

/// Products of such residues, each at most 2²¹ + 2 in size, whose sum stays below 2⁵³ − 2⁴⁷: every
/// intermediate of any order of summation is an exact double.
inline constexpr Index kFloatTerms = 2000;

/// A residue as the double of least size that it is modulo p, at most p/2.
class BalancedResidue {
public:
    explicit BalancedResidue(const Modulus& p)
        : prime_(static_cast<std::int64_t>(p.prime())), half_(prime_ / 2) {}

    double operator()(Residue a) const {
        const auto value = static_cast<std::int64_t>(a);
        // Half of all residues lie above: no branch that the processor would have to guess.
        return static_cast<double>(value - static_cast<std::int64_t>(value > half_) * prime_);
    }

private:
    std::int64_t prime_;
    std::int64_t half_;
};

/// X − round(X/p)·p, for a double or an array: |X| < 2⁵³ with |X|/p < 2⁵¹ becomes at most p/2 + 2
/// in size. Adding and taking away 1.5·2⁵² rounds to an integer; quotient·p lies within p of X, so
/// that product and difference are exact.
template <class Values>
void balance(Values&& X, double prime) {
    constexpr double kRound = 6755399441055744.0;
    const double inverse = 1.0 / prime;
    X -= ((X * inverse + kRound) - kRound) * prime;
}

}  // namespace attest
