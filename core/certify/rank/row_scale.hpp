#pragma once

#include "core/data/dataset.hpp"
#include "core/exact/dyadic.hpp"
#include "core/exact/modulus.hpp"
#include "core/exact/scalars.hpp"

#include <cstdint>

namespace attest {

/// What makes an example's features integers: they are multiples of 1/(2^exponent · b^odd_power), b
/// the data set's odd_base.
struct RowScale {
    int exponent = 0;
    Index odd_power = 0;
    Index bits = 0;  ///< the scaled features are below 2^bits in magnitude
};

/// The odd part of the least common multiple of all denominators in the layer's parameters: 1 where
/// they are dyadic, as decays 1 − 2⁻ᵏ are.
[[nodiscard]] Integer odd_base(const Layer& layer);

/// The prime, or the next one below that does not divide the base.
[[nodiscard]] Modulus usable_modulus(const Integer& odd_base, std::uint64_t prime = kDefaultPrime);

/// Of the examples of a sequence of n tokens by the paper's layer: cubes of numbers on the tokens'
/// grid.
[[nodiscard]] RowScale scale_of_tokens(const DyadicRange& tokens, Index n);

/// One scale for all examples of sequence i, of another layer than the paper's: from the grid that
/// holds its numbers and from the layer's formula. O(n d). Throws InvalidInput for NaN and
/// infinities.
[[nodiscard]] RowScale scale_of_sequence(const Dataset& data, Index i);

}  // namespace attest
