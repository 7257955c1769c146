#pragma once

#include "core/audit/verdict.hpp"
#include "core/certify/exact_rank.hpp"
#include "core/certify/structural_rank.hpp"

#include <optional>

namespace attest {

/// Which part of a deficiency is the layer's own, whatever the data: combinations of its features
/// that vanish on every input change P but no output.
struct StructureAudit {
    std::optional<StructuralRank> seen;  ///< over inputs of the lengths in the data
    std::optional<StructuralRank> all;   ///< over inputs of every length whose last token asks, and
                                         ///< those of the kinds in the data
    Index shortest = 0;                  ///< of the lengths in the data
    Index longest = 0;

    /// Whether all minimisers are one function on inputs of these kinds, P being another matter.
    [[nodiscard]] bool determined_on_seen(const ExactRank& rank) const;
    [[nodiscard]] bool determined_on_all(const ExactRank& rank) const;
};

/// Of deficient data; a part is absent where it would take too long to say.
[[nodiscard]] StructureAudit audit_structure(const SequenceSource& data);

[[nodiscard]] inline StructureAudit audit_structure(const Dataset& data) {
    return audit_structure(SequencesInMemory(data));
}

}  // namespace attest
