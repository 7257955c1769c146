#pragma once

#include "core/data/sequence_source.hpp"
#include "core/exact/scalars.hpp"

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

}  // namespace attest
