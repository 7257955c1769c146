#include "core/heads/minimal_heads.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/choice.hpp"
#include "core/base/memory.hpp"
#include "core/base/timer.hpp"
#include "core/heads/linear_construction.hpp"
#include "core/heads/lower_bound.hpp"
#include "core/heads/split_heads.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace attest {

namespace {

constexpr Choices<HeadSearchEnd, 4> kHeadSearchEndNames{
    {{HeadSearchEnd::proved, "proved"},
     {HeadSearchEnd::exhausted, "exhausted"},
     {HeadSearchEnd::budget, "budget"},
     {HeadSearchEnd::interrupted, "interrupted"}}};

/// Rate at which the linear construction's cost is weighed against the budget; deliberately low.
constexpr double kFlopsPerSecond = 2e9;

/// The state of one search.
class Search {
public:
    Search(const FitTarget& target, const HeadSearchOptions& options)
        : target_(target), options_(options), control_(options.control) {
        control_.target = std::min(control_.target, options.tolerance);
        control_.interrupt = [this] { return out_of_time() || asked_to_stop(); };
    }

    [[nodiscard]] MinimalHeads run() {
        result_.bound = target_lower_bound(target_,
                                           options_.tolerance,
                                           options_.lower_bound_draws,
                                           options_.stream.child("lower bound"));
        take(split_heads(target_.P, target_.d).heads);
        try_linear_construction();
        plan();
        for (const Index starts : {Index{1}, Index{4}, options_.max_starts}) {
            round(std::min(starts, options_.max_starts));
        }
        finish();
        return result_;
    }

private:
    [[nodiscard]] bool out_of_time() const { return timer_.seconds() > options_.seconds; }

    [[nodiscard]] bool asked_to_stop() {
        asked_ = asked_ || (options_.control.interrupt && options_.control.interrupt());
        return asked_;
    }

    [[nodiscard]] bool done() const {
        return result_.heads.num_heads() <= result_.bound.num_heads || asked_ || out_of_time();
    }

    /// Keeps heads that represent the target and are fewer than the best.
    void take(const Parameters& heads) {
        const double residual = relative_residual(target_, heads);
        const bool exact = residual <= options_.tolerance;
        if (!have_ || (exact && heads.num_heads() < result_.heads.num_heads())) {
            result_.heads = heads;
            result_.residual = residual;
            have_ = true;
        }
    }

    void try_linear_construction() {
        const Index H = linear_head_count(target_.d, target_.o);
        const auto unknowns = static_cast<double>(H * target_.d);
        const bool solves = H != packed_dim(target_.d) && target_.o > 1;
        const double flops = solves ? 20.0 * unknowns * unknowns * unknowns : 0.0;
        if (flops <= 0.1 * options_.seconds * kFlopsPerSecond) {
            take(balanced_heads(
                linear_construction(target_.P, target_.d, options_.stream.child("linear")).factors,
                target_.d));
        }
    }

    /// Brings every H below the best to `starts` starts.
    void round(Index starts) {
        for (HeadAttempt& attempt : result_.attempts) {
            while (attempt.starts < starts && attempt.num_heads < result_.heads.num_heads()) {
                if (done()) {
                    return;
                }
                start(attempt);
            }
        }
    }

    /// Every number of heads from the certified bound to the counting bound whose fits fit into
    /// memory.
    void plan() {
        const Index lowest = std::max<Index>(result_.bound.num_heads, 1);
        if (result_.heads.num_heads() > lowest) {
            require_memory(variable_projection_cost(target_, lowest).bytes,
                           formatted("minimal_heads: a fit with {} heads", lowest),
                           "keep the heads of the SVD");
        }
        for (Index H = lowest; H <= counting_bound(target_.d, target_.o); ++H) {
            if (variable_projection_cost(target_, H).bytes <= memory_limit()) {
                result_.attempts.push_back({H, 0, 1.0});
            }
        }
    }

    void start(HeadAttempt& attempt) {
        const Index H = attempt.num_heads;
        const Index s = attempt.starts++;
        const StartKind kind = start_kind(target_, H, s);
        const Matrix Q =
            start_queries(target_, H, kind, options_.stream.child("start").child(H).child(s));
        const HeadFit fit = variable_projection(target_, Q, control_);
        attempt.residual = std::min(attempt.residual, fit.residual);
        if (fit.residual <= options_.tolerance) {
            take(heads_of(fit, target_.d));
        }
        if (options_.progress) {
            options_.progress(
                {H, s, kind, fit.residual, result_.heads.num_heads(), timer_.seconds()});
        }
    }

    void finish() {
        const Index H = result_.heads.num_heads();
        if (H <= result_.bound.num_heads) {
            result_.end = HeadSearchEnd::proved;
        } else if (asked_) {
            result_.end = HeadSearchEnd::interrupted;
        } else if (out_of_time()) {
            result_.end = HeadSearchEnd::budget;
        }
        const IterationCost cost = variable_projection_cost(target_, H);
        const bool affordable = cost.bytes < 0.5 * memory_limit() && H > 0 &&
                                10.0 * cost.flops < options_.seconds * kFlopsPerSecond;
        result_.tangent_rcond =
            affordable ? tangent_rcond(target_, head_factors(result_.heads)) : 0.0;
        std::erase_if(result_.attempts, [](const HeadAttempt& a) { return a.starts == 0; });
        result_.note = describe();
    }

    [[nodiscard]] std::string describe() const {
        const Index H = result_.heads.num_heads();
        std::string text = formatted("{}{}{} certified",
                                     H,
                                     H == 1 ? " head found, at least " : " heads found, at least ",
                                     result_.bound.num_heads);
        if (result_.end == HeadSearchEnd::proved) {
            text += ": no fewer exist";
        } else {
            text += "; fewer were not found, which does not prove that there are none";
        }
        if (result_.tangent_rcond > kUniqueTangent) {
            text += formatted("; W is locally unique, the heads up to GL({})", H);
        } else if (H > 0) {
            text += "; W was not shown to be locally unique";
        }
        return text;
    }

    const FitTarget& target_;
    const HeadSearchOptions& options_;
    FitControl control_;
    Timer timer_;
    MinimalHeads result_;
    bool have_ = false;
    bool asked_ = false;
};

}  // namespace

std::string_view to_string(HeadSearchEnd end) {
    return name_of(kHeadSearchEndNames, end);
}

MinimalHeads minimal_heads(const FitTarget& target, const HeadSearchOptions& options) {
    require(options.tolerance > 0.0 && options.tolerance < 1.0,
            "minimal_heads: got tolerance {}, expected one in (0, 1)",
            options.tolerance);
    return Search(target, options).run();
}

HeadLowerBound target_lower_bound(const FitTarget& target,
                                  double tolerance,
                                  Index draws,
                                  const Stream& stream) {
    if (is_zero(target.scale)) {
        return {};
    }
    if (target.L.size() == 0) {
        return head_lower_bound(target.P, target.d, tolerance, draws, stream);
    }
    if (target.L.rows() < target.L.cols()) {
        return {1, LowerBoundProof::rank, Vector(), Vector(), 0.0};
    }
    // The rows of L are σ_i v_iᵀ.
    const double smallest = target.L.rowwise().norm().minCoeff();
    const double norm = frobenius_target(target.P, target.d).scale;
    const double reach = tolerance * target.scale / (smallest * norm);
    return head_lower_bound(target.P, target.d, reach, draws, stream);
}

IterationCost head_search_cost(const FitTarget& target,
                               Index lower_bound,
                               const HeadSearchOptions& options) {
    IterationCost total;
    const auto iterations =
        static_cast<double>(options.max_starts * options.control.max_iterations);
    for (Index H = std::max<Index>(lower_bound, 1); H <= counting_bound(target.d, target.o); ++H) {
        const IterationCost one = variable_projection_cost(target, H);
        total.flops += iterations * one.flops;
        total.bytes = std::max(total.bytes, one.bytes);
    }
    return total;
}

}  // namespace attest
