#pragma once

#include "core/data/sources/sequences.hpp"
#include "core/exact/lift.hpp"
#include "core/exact/scalars.hpp"

#include <string>
#include <vector>

namespace attest {

/// The second moment without any rounding: Λ_D = G·2^exponent / num_examples, G a symmetric ψ×ψ
/// integer matrix.
struct ExactSecondMoment {
    MatrixOf<Integer> G;
    int exponent = 0;
    Index num_examples = 0;
};

/// Σ H Hᵀ over all examples, exactly for the doubles given: modulo as many primes near 2⁶¹ as its
/// entries are long, then put together by the Chinese remainder theorem. O(primes · N ψ²) modular
/// operations by FLINT. Throws EnvironmentFailure when the integers would not fit into memory.
[[nodiscard]] ExactSecondMoment exact_second_moment(const SequenceSource& data);

[[nodiscard]] inline ExactSecondMoment exact_second_moment(const Dataset& data) {
    return exact_second_moment(SequencesInMemory(data));
}

/// m·2^exponent with m of any size.
struct BigDyadic {
    Integer mantissa = 0;
    int exponent = 0;
};

/// A lower triangular matrix of short dyadic numbers: entry (i,j), j ≤ i, is mantissas[i(i+1)/2 +
/// j]·2^exponent.
struct DyadicFactor {
    std::vector<Integer> mantissas;
    int exponent = 0;
};

/// lo ≤ λ_min(Λ_D) ≤ hi, proved, with the evidence from which anyone can redo the proof by integer
/// arithmetic.
struct LambdaMinEnclosure {
    BigDyadic lo;
    BigDyadic hi;
    DyadicFactor factor;  ///< Λ − lo·I − LLᵀ is diagonally dominant; without entries when lo = 0
    IntegerVector upper;  ///< x with xᵀΛx/xᵀx ≤ hi
    std::string note;     ///< one line for people when lo = 0: why nothing better is proved

    [[nodiscard]] bool proves_full_rank() const { return lo.mantissa > 0; }
};

/// Encloses the smallest eigenvalue. Found in floating point, proved in integers: for a shift s
/// just below the numerical λ_min the Cholesky factor of Λ − (s+t)I, rounded to few bits, is
/// accepted only if the exact matrix Λ − sI − LLᵀ is diagonally dominant (Gershgorin). The margin t
/// starts at a few roundings and grows eightfold until the proof succeeds or t eats up λ_min; then
/// lo = 0. `hi` is an exact Rayleigh quotient, rounded up.
[[nodiscard]] LambdaMinEnclosure enclose_lambda_min(const ExactSecondMoment& moment);

/// Whether M·(Λ − lo·I − LLᵀ), formed over the integers, is diagonally dominant with nonnegative
/// diagonal.
[[nodiscard]] bool dominates(const ExactSecondMoment& moment,
                             const BigDyadic& lo,
                             const DyadicFactor& factor);

[[nodiscard]] Rational to_rational(const BigDyadic& value);
/// The nearest double, for people.
[[nodiscard]] double to_double(const BigDyadic& value);

}  // namespace attest
