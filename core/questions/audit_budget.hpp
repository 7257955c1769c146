#pragma once

#include "core/base/memory.hpp"
#include "core/base/shape.hpp"
#include "core/data/sources/sequences.hpp"
#include "core/layers/feature_layout.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// A part of an audit that may take more than a second, the more important ones first.
enum class AuditPart : std::uint8_t {
    rank,             ///< over the rationals; what follows but the second asks for it
    singular_values,  ///< with all that hangs on them: least risk, leverage, noise, condition
    held_out,         ///< which held-out outputs are determined
    reasons,          ///< the relations that hold in every example
    coverage,         ///< how much of the future is left open
    few_heads,        ///< whether the layer is unique among those of as many heads
    fewest_heads,     ///< the fewest heads, and the error of fewer
};

/// As in --json: "singular_values".
[[nodiscard]] std::string_view to_string(AuditPart part);
/// What a page without it does not say.
[[nodiscard]] std::string_view words(AuditPart part);

/// What the cost of an audit depends on.
struct AuditSize {
    Index num_examples = 0;
    Index psi = 0;
    Index states = 0;      ///< most of a block of features
    Index all_states = 0;  ///< q
    double length = 1.0;   ///< tokens that join the states for an example, in the mean
    Index outputs = 0;
    Index held_out = 0;              ///< examples; 0: none are given
    Index head_entries = 0;          ///< of all heads; 0: few_heads is not asked
    double head_seconds = 0.0;       ///< that the search for the fewest takes at most, which has a
                                     ///< third of the budget; 0: it is not asked
    double machine_speed = 1.0;      ///< relative to the machine that the formulas were fitted on
    Index layers = 1;                ///< that share the budget in equal parts
    double rank_bytes = 0.0;         ///< of the elimination
    double factor_bytes = 0.0;       ///< of the triangular factor
    double memory = kNoMemoryLimit;  ///< bytes that there are
};

/// One part, what it is estimated to take, and whether budget and memory have room for it.
struct PlannedPart {
    AuditPart part;
    double seconds = 0.0;
    bool included = false;
    double bytes = 0.0;       ///< the most that it or a part that it needs takes
    bool fits_memory = true;  ///< else no budget adds it
};

/// The parts that are asked of an audit, in their order.
struct AuditPlan {
    AuditSize size;
    std::vector<PlannedPart> parts;
    double budget = std::numeric_limits<double>::infinity();  ///< of this layer
    Index layers = 1;                                         ///< that share the whole

    [[nodiscard]] bool has(AuditPart part) const;

    /// Of what is included.
    [[nodiscard]] double seconds() const;

    /// Of one part, included or not; 0 where it is not asked.
    [[nodiscard]] double seconds_of(AuditPart part) const;

    /// The least budget of all layers together, in whole seconds, that has room for this part and
    /// all before it that fit into memory.
    [[nodiscard]] double budget_for(AuditPart part) const;
};

/// num_examples, psi, states, all_states and length of such data.
[[nodiscard]] AuditSize audit_size(const SequenceShape& data);

/// AuditSize::states of such data.
[[nodiscard]] Index most_states(const FeatureLayout& layout);

/// What a part takes by the estimates below, on a machine of this speed.
[[nodiscard]] double estimated_seconds(AuditPart part, const AuditSize& size);

/// Chooses by estimates alone, never by a clock, so that equal sizes give equal parts: in order,
/// each part that fits beside those chosen before it and into memory, and whose rank is there. The
/// estimates are products and flops, N ψ min(N, ψ) and the like, and T q for each pass over the
/// tokens, over rates that were measured once.
[[nodiscard]] AuditPlan audit_plan(const AuditSize& size, double budget);

/// "at most about 40 s: rank 8 s, singular values 31 s"; what is left out is not in it.
[[nodiscard]] std::string in_words(const AuditPlan& plan);

}  // namespace attest
