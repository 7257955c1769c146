#pragma once
#include "proofs_check/checker/dataset.hpp"
#include "proofs_check/checker/layer.hpp"

namespace attest::checker {
/// Features that are all products of entries first_s … first_s + q − 1 of s and first_u … of u.
struct Block {
    Index first_s, q, first_u, m;
};

/// The features of a layer: those of one block after the other, within a block u fastest.
struct Layout {
    std::vector<Block> blocks;
    Index q, m;    ///< entries of s and of u
    Index psi;     ///< features
    Index degree;  ///< of a feature in the numbers of the data
};

/// Sizes stop at 2^31, which no layer may reach.
[[nodiscard]] Layout layout_of(const Layer& layer, const Dataset& data);

/// The weights κ(δ), or products of gates and of what keys forget, of sequences of at most
/// `longest` tokens, in integers.
struct Weights {
    Index longest;
    Index gate_bits;  ///< gates are multiples of 2^-gate_bits
    Index key_bits;   ///< keys, of `delta`
    Index beta_bits;
    Integer bits;  ///< k of FORMAT.md §6: their common denominator and they have about as many

    /// A token multiplies the state by a matrix of multiples of 2^-step_bits.
    [[nodiscard]] Index step_bits() const { return gate_bits + 2 * key_bits + beta_bits; }
};

[[nodiscard]] Weights weights_of(const Layer& layer, const Dataset& data, const Dataset& queries);

/// Why the layer does not fit these data and queries (FORMAT.md §6); empty if it does.
[[nodiscard]] std::string misfit(const Layer& layer, const Dataset& data, const Dataset& queries);
}  // namespace attest::checker
