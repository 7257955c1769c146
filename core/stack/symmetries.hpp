#pragma once

#include "core/algebra/matrix.hpp"
#include "core/stack/calculus.hpp"
#include "core/stack/stack_shape.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace attest {

/// Ways to change parameters that leave the function of a stack as it is.
enum class SymmetryKind : std::uint8_t {
    query_key_basis,     ///< Q → SQ, K → S⁻ᵀK in each group
    value_output_basis,  ///< V → SV, O → OS⁻¹ in each group
    query_output_mix,    ///< linear: queries and outputs of a group mixed; a scale where it is one
    head_mix,            ///< linear: full-size heads mixed with each other
    between_layers,      ///< no residual: a basis change between two sublayers
    norm_rotation,       ///< the same where an RMS norm stands between: rotations, scale if ε = 0
    norm_gain,           ///< a gain against the columns that read it
    key_bias,            ///< softmax: constant over the keys
    value_bias,          ///< softmax: weights sum to 1, so that the output bias takes it up
    constant_shift,      ///< a constant handed to the next sublayer, which takes it out again
    shift_into_mlp,      ///< a constant that the next queries do not see, taken out by its MLP
    neuron_scale,        ///< W₁ and b₁ against W₂
};

/// "query_key_basis"; and in words, "basis of queries and keys".
[[nodiscard]] std::string_view to_string(SymmetryKind kind);
[[nodiscard]] std::string_view in_words(SymmetryKind kind);

/// Vector fields δθ along which the function is constant, of one kind in one layer: dφ·δθ = 0.
template <class Residue>
struct Symmetry {
    SymmetryKind kind = SymmetryKind::query_key_basis;
    Index layer = 0;           ///< of a kind between layers: the first of the two
    MatrixOf<Residue> fields;  ///< one a row, P columns, at the parameters given
};

/// Every field that this program knows, at parameters modulo a prime; docs/depth.md derives them.
/// Fields are rational in the parameters; those whose denominators vanish are left out, as those of
/// head_mix with a singular matrix or of shift_into_mlp with dependent queries. Their joint rank is
/// at most P − D, D the functional dimension, at any point.
template <class Residue>
[[nodiscard]] std::vector<Symmetry<Residue>> symmetries(const StackShape& shape,
                                                        const std::vector<Residue>& parameters);

/// What one kind of symmetry costs in one layer.
struct LostToSymmetry {
    SymmetryKind kind = SymmetryKind::query_key_basis;
    Index layer = 0;
    Index dimensions = 0;  ///< by which it enlarges the rank of those before it in the list
};

/// The joint rank of all fields, what each kind adds to that of those before it, and a minor of
/// that size that is not 0: rows in the order of symmetries(), columns among the parameters.
struct SymmetryRank {
    std::vector<LostToSymmetry> lost;
    std::vector<Index> rows;
    std::vector<Index> columns;

    [[nodiscard]] Index rank() const { return static_cast<Index>(rows.size()); }
};

/// O(P²·fields).
template <class Residue>
[[nodiscard]] SymmetryRank symmetry_rank(const StackShape& shape,
                                         const std::vector<Residue>& parameters);

extern template SymmetryRank symmetry_rank(const StackShape&,
                                           const std::vector<ResidueNumber<kStackPrime>>&);
extern template SymmetryRank symmetry_rank(const StackShape&,
                                           const std::vector<PowerNumber::Image>&);
extern template std::vector<Symmetry<ResidueNumber<kStackPrime>>> symmetries(
    const StackShape&, const std::vector<ResidueNumber<kStackPrime>>&);
extern template std::vector<Symmetry<PowerNumber::Image>> symmetries(
    const StackShape&, const std::vector<PowerNumber::Image>&);

}  // namespace attest
