#pragma once

#include "core/base/shape.hpp"
#include "core/data/model_file.hpp"
#include "core/heads/head_curve.hpp"
#include "core/heads/minimal_heads.hpp"
#include "core/questions/factored_source.hpp"
#include "core/questions/output.hpp"
#include "core/rng/stream.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attest {

/// How a model's coefficients are to be split into heads.
enum class HeadChoice : std::uint8_t {
    svd,     ///< Algorithm 1's heads
    fewest,  ///< the fewest that compute the same function
    elbow,   ///< as many as the labels' noise lets one tell apart
    count,   ///< the best approximation with so many
};

/// What is asked of the heads.
struct HeadRequest {
    HeadChoice choice = HeadChoice::svd;
    Index count = 0;
    double budget = 60.0;  ///< seconds
    Index starts = 0;      ///< for every number of heads; 0: the library's default
};

/// The request behind "svd", "min", "elbow" or a number of heads ≥ 1. Throws UnknownName.
[[nodiscard]] HeadRequest head_request(const std::string& text);

/// That text again.
[[nodiscard]] std::string to_string(const HeadRequest& request);

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

/// What a reduction found, by the way it was asked for.
void describe(Output& output, const HeadReduction& found);

/// The meta of a model whose heads were reduced: its own with what was done to it, in the norm of
/// data or of the coefficients.
[[nodiscard]] std::string reduced_meta(const std::string& meta,
                                       HeadChoice choice,
                                       const HeadReduction& found);

/// How much of a layer's output so many heads cannot reproduce.
struct HeadLossAt {
    Index heads = 0;
    double loss = 0.0;  ///< mean ‖ŷ − y‖² over mean ‖y‖² on the data, the best found
};

/// How many heads a layer's function needs on some data.
struct HeadNeeds {
    Index has = 0;                 ///< heads of the model; 0 where it has coefficients only
    Index at_least = 0;            ///< certified; 1 is trivial
    std::optional<Index> found;    ///< the fewest found that lose nothing but rounding on the data
    bool same_everywhere = false;  ///< these compute the same function, on any input
    bool proved_fewest = false;
    std::vector<HeadLossAt> fewer;  ///< from 1 up, as far as the time went
    std::string not_sought;         ///< why there is nothing but `has`
};

/// Of the layer linear, where why_not_sought is empty: by reduce_heads in the norm of the data, at
/// most `budget` seconds for the fewest and as many for the losses.
[[nodiscard]] HeadNeeds head_needs(const FactoredSource& data,
                                   const Model& model,
                                   const Matrix& P,
                                   double budget,
                                   const Stream& stream);

}  // namespace attest
