#pragma once

#include "core/audit/factored_source.hpp"
#include "core/audit/head_request.hpp"
#include "core/heads/head_curve.hpp"
#include "core/heads/minimal_heads.hpp"

#include <functional>
#include <optional>
#include <string>

namespace attest {

/// What a search for heads is about to do.
struct HeadPlan {
    HeadChoice choice = HeadChoice::fewest;
    Index first = 0;      ///< fewest heads it will try
    Index last = 0;       ///< most heads
    Index starts = 0;     ///< at most, for each number of heads
    IterationCost cost;   ///< of all of it
    double budget = 0.0;  ///< seconds after which it keeps the best so far
};

/// Who is told how a search goes on. Each function may be empty.
struct HeadObserver {
    std::function<void(const HeadPlan&)> plan;                  ///< before it starts
    std::function<void(const HeadSearchProgress&)> start_done;  ///< fewest: after every start
    std::function<void(const HeadCurvePoint&)> count_done;      ///< elbow: after every number
    std::function<bool()> interrupt;  ///< true ends the search with the best so far
};

/// How far heads are from their target. Relative to its size.
struct HeadLoss {
    bool on_data = false;     ///< the target's norm is the data's, else ‖Sym W‖
    double residual = 0.0;    ///< in the target's norm; its square is the loss
    double everywhere = 0.0;  ///< ‖p̂ − p‖ / ‖p‖ in ‖Sym W‖

    [[nodiscard]] double loss() const { return residual * residual; }

    [[nodiscard]] bool same_function() const { return everywhere <= kSameFunction; }

    [[nodiscard]] bool same_on_data() const { return residual <= kSameFunction; }
};

/// Losses of the ways to so many heads, in the target's norm.
struct CountLosses {
    double cut = 0.0;    ///< Algorithm 1's strongest
    double refit = 0.0;  ///< the same with values refitted
    double fit = 0.0;    ///< the best found
};

/// Heads instead of the target's coefficients, and how they were found.
struct HeadReduction {
    Parameters heads;
    HeadLoss loss;
    std::optional<HeadLowerBound> bound;  ///< fewest and count: certified
    Index counting_bound = 0;             ///< what a generic function of this size needs
    std::optional<MinimalHeads> search;   ///< fewest
    std::optional<CountLosses> losses;    ///< count
    HeadCurve curve;                      ///< elbow
    std::optional<Index> elbow;           ///< elbow, where the curve has one
};

/// So many heads suffice for every model of this size: min(o, d)·d.
[[nodiscard]] Index most_heads(const FitTarget& target);

/// What heads for P shall approximate: P in the norm in which it is nearest to the minimiser, the
/// training risk and the ridge where there is one.
[[nodiscard]] FitTarget head_target(const Matrix& P,
                                    const FactoredSource& data,
                                    const SolveOptions& solve);

/// The fewest heads, as many as the noise tells apart (without an elbow, all of Algorithm 1's), or
/// the best so many, as requested; not for HeadChoice::svd. At the end of the budget or at an
/// interrupt it keeps the best so far. Throws InvalidInput when the count is out of range, and for
/// an elbow without data.
[[nodiscard]] HeadReduction reduce_heads(const FitTarget& target,
                                         const HeadRequest& request,
                                         const Stream& stream,
                                         const HeadObserver& observer);

}  // namespace attest
