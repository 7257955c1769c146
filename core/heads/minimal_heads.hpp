#pragma once

#include "core/heads/fit_heads.hpp"
#include "core/heads/lower_bound.hpp"

#include <functional>
#include <string>

namespace attest {

/// What a search has done so far, told after every start.
struct HeadSearchProgress {
    Index num_heads;  ///< heads of the start that has just ended
    Index start;      ///< its number
    StartKind kind;
    double residual;   ///< what it reached
    Index best_heads;  ///< fewest heads of an exact representation so far
    double seconds;    ///< since the search began
};

/// ‖p̂ − p‖ ≤ this·‖p‖, evaluated from the heads, is what "the same function" means.
inline constexpr double kSameFunction = 1e-12;

struct HeadSearchOptions {
    double tolerance = kSameFunction;  ///< relative residual that counts as the same function
    Index max_starts = 30;             ///< for every number of heads
    double seconds = 60.0;             ///< time budget; the only reason why two runs may differ
    Index lower_bound_draws = 3;
    FitControl control;  ///< its `interrupt` ends the search, its `target` is the tolerance or less
    Stream stream = Stream(0);
    std::function<void(const HeadSearchProgress&)> progress;
};

/// Why a search ended.
enum class HeadSearchEnd : std::uint8_t {
    proved,       ///< as many heads as the certified lower bound: no fewer exist
    exhausted,    ///< every start below failed, which does not prove absence
    budget,       ///< time ran out
    interrupted,  ///< the caller's predicate
};

[[nodiscard]] std::string_view to_string(HeadSearchEnd end);

/// All starts with one number of heads.
struct HeadAttempt {
    Index num_heads = 0;
    Index starts = 0;
    double residual = 0.0;  ///< the smallest reached
};

/// An exact representation with the fewest heads found.
struct MinimalHeads {
    Parameters heads;       ///< balanced SVD heads of the rank-H W
    HeadLowerBound bound;   ///< certified for every P' within the tolerance
    double residual = 0.0;  ///< ‖L(p̂ − p)‖/‖L p‖ evaluated from the heads
    double tangent_rcond =
        0.0;  ///< above kUniqueTangent: W is locally unique, the heads up to GL(H)
    HeadSearchEnd end = HeadSearchEnd::exhausted;
    std::vector<HeadAttempt> attempts;  ///< by number of heads
    std::string note;                   ///< one line for people
};

inline constexpr double kUniqueTangent = 1e-12;

/// Fewest heads that represent the target: H upward from the certified lower bound to the counting
/// bound, in rounds of 1, 4 and max_starts starts each, never at or above the best H found. Begins
/// with the SVD heads of Algorithm 1 and one linear solve, so that an interrupted search has an
/// answer. Deterministic up to the time budget. Throws EnvironmentFailure when one iteration at the
/// lower bound does not fit into memory.
[[nodiscard]] MinimalHeads minimal_heads(const FitTarget& target, const HeadSearchOptions& options);

/// The certified lower bound in the target's norm: ‖p' − p‖ ≤ ‖L(p' − p)‖/σ_min(L). Without full
/// column rank P is not determined by L and only 0 (L p = 0) or 1 is certain.
[[nodiscard]] HeadLowerBound target_lower_bound(const FitTarget& target,
                                                double tolerance,
                                                Index draws,
                                                const Stream& stream);

/// Flops of the whole search if every start of every H failed after max_iterations, and bytes at
/// its largest H.
[[nodiscard]] IterationCost head_search_cost(const FitTarget& target,
                                             Index lower_bound,
                                             const HeadSearchOptions& options);

}  // namespace attest
