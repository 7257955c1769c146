#pragma once

#include "core/data/sources/sequences.hpp"
#include "core/exact/null_space.hpp"

#include <optional>
#include <vector>

namespace attest {

/// A kind of input: sequences of `length` tokens of which token `query`, from 0, asks.
struct InputKind {
    Index length = 1;
    Index query = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the comparison's 0 for a pointer
    friend auto operator<=>(const InputKind&, const InputKind&) = default;
};

/// The kinds of a data set's examples, ascending, each once.
[[nodiscard]] std::vector<InputKind> input_kinds(const SequenceSource& data);

[[nodiscard]] inline std::vector<InputKind> input_kinds(const Dataset& data) {
    return input_kinds(SequencesInMemory(data));
}

/// Kinds whose inputs have features of the same span, and are not longer.
[[nodiscard]] std::vector<InputKind> enough_kinds(const Layer& layer,
                                                  const std::vector<InputKind>& kinds);

/// Every length from 1 up to where longer sequences bring nothing new for a layer whose weights are
/// decays, windows, lags or tables: G decays and a longest window W make a recurrence that G + W +
/// 2 tokens determine. Nothing for layers to which that does not apply.
[[nodiscard]] std::optional<std::vector<InputKind>> all_kinds(const Layer& layer);

/// The dimension of the span of a layer's features over *all* inputs of some kinds: features are
/// polynomials in the entries of the input, and a combination vanishes on every input iff it
/// vanishes coefficient by coefficient.
struct StructuralRank {
    Index psi = 0;
    Index rank = 0;               ///< the exact one where is_exact, else a lower bound
    bool is_exact = false;        ///< the identities are complete
    IntegerNullSpace identities;  ///< verified: combinations that vanish on every such input
};

/// Over Q, by the layer's own formulas in polynomials: recorded gates, x and φ are free too.
/// Nothing where the polynomials of enough_kinds would have more than a few million terms, or take
/// more than seconds to form. For `moments` all of ψ.
[[nodiscard]] std::optional<StructuralRank> structural_rank(const Layer& layer,
                                                            const LayerInput& input,
                                                            const std::vector<InputKind>& kinds);

/// The same over inputs of every length whose last token asks, and those of the kinds seen, whose
/// queries may stand elsewhere. Nothing for layers to which all_kinds does not apply.
[[nodiscard]] std::optional<StructuralRank> structural_rank_of_all(
    const Layer& layer, const LayerInput& input, const std::vector<InputKind>& seen);

}  // namespace attest
