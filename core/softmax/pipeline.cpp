#include "core/softmax/pipeline.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/timer.hpp"
#include "core/softmax/diagnostics.hpp"
#include "core/softmax/examples.hpp"
#include "core/softmax/sign_cone.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace attest {

namespace {

/// Adds the seconds of its lifetime to a total.
class Stopwatch {
public:
    explicit Stopwatch(double& total) : total_(total) {}

    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    Stopwatch(Stopwatch&&) = delete;
    Stopwatch& operator=(Stopwatch&&) = delete;

    ~Stopwatch() { total_ += timer_.seconds(); }

private:
    double& total_;
    Timer timer_;
};

constexpr double kZeroSum = 0.05;     // of the labels' scale
constexpr double kSingularSum = 0.1;  // σ_min √d/‖·‖
constexpr Index kMostHeads = 5;       // that an unknown m may stand for
constexpr Index kDetectionHeads = 3;  // the hull that m is read from is made for so many

class Run {
public:
    Run(const SoftmaxSource& source,
        const SoftmaxExamples& held_out,
        const SoftmaxLearnOptions& options)
        : source_(prepared_source(source)), held_out_(held_out), options_(options) {
        result_.examples = source_.count;
        training_ = source_.draw(0, std::min(options.training, source_.count));
    }

    SoftmaxResult take() {
        if (crude()) {
            result_.m = options_.m > 0 ? options_.m : heads_found();
            search();
            while (options_.m == 0 && result_.has(SoftmaxNotice::redundant_head)) {
                start_again(result_.m - 1);
                search();
            }
        }
        return std::move(result_);
    }

private:
    void search() {
        if (hull()) {
            net();
        }
        if (!net_predicts() && options_.m != 1) {
            signs();
        }
        if (options_.polish && !result_.net.best.empty()) {
            polish_best();
        }
        conclude();
    }

    /// Forgets all but the first phase and the time spent.
    void start_again(Index m) {
        SoftmaxResult fresh;
        fresh.examples = result_.examples;
        fresh.m = m;
        most_heads_ = m;
        fresh.crude = std::move(result_.crude);
        fresh.seconds = std::move(result_.seconds);
        result_ = std::move(fresh);
    }

    void note(SoftmaxNotice notice) {
        if (!result_.has(notice)) {
            result_.notices.push_back(notice);
        }
    }

    bool crude() {
        const Stopwatch watch(result_.seconds["crude_sum"]);
        result_.crude = crude_sum(source_, preferred_estimator(source_.k));
        if (result_.crude.norm() < kZeroSum * label_scale(source_)) {
            note(SoftmaxNotice::sum_zero);
            return false;
        }
        return true;
    }

    [[nodiscard]] std::vector<HullCandidate> candidates(Index m) const {
        CandidateOptions options = options_.candidates;
        options.m = m;
        options.largest_norm = options_.largest_norm;
        return hull_candidates(source_, result_.crude, options);
    }

    bool hull() {
        const Stopwatch watch(result_.seconds["hull"]);
        if (result_.m == 0) {
            note(SoftmaxNotice::no_hull);
            return false;
        }
        if (!rows_are_injective(source_.d, source_.k, result_.m)) {
            note(SoftmaxNotice::rows_not_injective);
        }
        result_.candidates = candidates(result_.m);
        result_.chosen = best_candidate(result_.candidates);
        if (!result_.chosen) {
            const bool few = std::all_of(
                result_.candidates.begin(), result_.candidates.end(), [&](const HullCandidate& c) {
                    return c.constraints < source_.d * source_.d + result_.m;
                });
            note(few ? SoftmaxNotice::too_few_constraints : SoftmaxNotice::no_hull);
            return false;
        }
        const HullCandidate& chosen = result_.candidates[*result_.chosen];
        if (scaled_least_sigma(chosen.sum.W) < kSingularSum) {
            note(SoftmaxNotice::sum_singular);
        }
        if (chosen.sum.coverage < kLeastCoverage) {
            note(SoftmaxNotice::coverage);
        }
        if (chosen.hull.gap < kWeakGap) {
            note(SoftmaxNotice::weak_gap);
        }
        return true;
    }

    [[nodiscard]] Index heads_found() {
        const Stopwatch watch(result_.seconds["hull"]);
        result_.candidates = candidates(kDetectionHeads);
        return heads_seen(result_.candidates);
    }

    void net() {
        const Stopwatch watch(result_.seconds["net"]);
        const ThetaHull& hull = result_.candidates[*result_.chosen].hull;
        NetOptions options;
        options.points_per_axis = options_.net_points;
        options.most_tuples = options_.most_tuples;
        // Heads of one norm at right angles lie √m times as far out as their proxy.
        options.largest_norm =
            options_.largest_norm > 0.0
                ? options_.largest_norm
                : 1.5 * std::sqrt(static_cast<double>(result_.m)) * hull.x0.norm();
        result_.net = net_search(hull, training_, options);
        if (result_.net.status == NetStatus::empty) {
            note(SoftmaxNotice::net_empty);
        } else if (result_.net.status == NetStatus::budget) {
            note(SoftmaxNotice::budget);
        } else {
            result_.net_validation = relative_error(result_.net.best.front().heads, held_out_);
        }
    }

    /// Where equations do not lead to heads that predict: the one-sided constraints.
    void signs() {
        const Stopwatch watch(result_.seconds["signs"]);
        SignSearchOptions options;
        options.cone.m = options_.m;
        options.cone.most_heads = most_heads_;
        options.cone.largest_norm = options_.largest_norm;
        options.rows = options_.candidates.constraint_factor * source_.d * source_.d;
        options.net.most_tuples = options_.most_tuples;
        SignSearch found = search_by_signs(source_, result_.candidates, training_, options);
        if (!found.net.best.empty() &&
            (result_.net.best.empty() ||
             found.net.best.front().relative_error < result_.net.best.front().relative_error)) {
            result_.m = found.cone.m;
            result_.net = std::move(found.net);
            result_.net_validation = relative_error(result_.net.best.front().heads, held_out_);
            result_.cone = std::move(found.cone);
        }
    }

    void polish_best() {
        const Stopwatch watch(result_.seconds["polish"]);
        for (const NetTuple& start : result_.net.best) {
            std::vector<Matrix> thetas;
            for (const SoftmaxHead& head : start.heads) {
                thetas.push_back(head.Theta);
            }
            SoftmaxFit fit = polish(thetas, training_, options_.control);
            if (!result_.polished || fit.relative_error < result_.polished->relative_error) {
                result_.polished = std::move(fit);
            }
            if (result_.polished->end == FitEnd::target) {
                return;  // the remaining starts cannot do better
            }
        }
    }

    [[nodiscard]] bool net_predicts() const {
        return result_.net_validation && *result_.net_validation < kNetSuccess;
    }

    void conclude() {
        const SoftmaxHeads heads = result_.heads();
        if (!net_predicts() && !result_.net.best.empty()) {
            note(SoftmaxNotice::net_inaccurate);
        }
        if (heads.empty()) {
            return;
        }
        result_.validation = relative_error(heads, held_out_);
        const bool exact = *result_.validation < kExactSuccess;
        const bool spare =
            exact && error_without_a_head(heads, training_, held_out_) < kExactSuccess;
        if (spare) {
            note(SoftmaxNotice::redundant_head);
        }
        const bool found = exact && !spare;
        result_.outcome = net_predicts() && found ? SoftmaxOutcome::recovered
                          : net_predicts()        ? SoftmaxOutcome::predicts
                          : found                 ? SoftmaxOutcome::recovered_by_polish
                                                  : SoftmaxOutcome::failed;
        if (!exact && options_.polish) {
            note(SoftmaxNotice::not_validated);
        }
    }

    SoftmaxSource source_;
    const SoftmaxExamples& held_out_;
    const SoftmaxLearnOptions& options_;
    SoftmaxExamples training_;
    SoftmaxResult result_;
    Index most_heads_ = kMostHeads;
};

constexpr Choices<SoftmaxOutcome, 4> kSoftmaxOutcomeNames{
    {{SoftmaxOutcome::recovered, "recovered"},
     {SoftmaxOutcome::predicts, "predicts"},
     {SoftmaxOutcome::recovered_by_polish, "recovered_by_polish"},
     {SoftmaxOutcome::failed, "failed"}}};

struct NoticeText {
    SoftmaxNotice notice;
    std::string_view name;
    std::string_view line;
};

constexpr std::array kNotices{
    NoticeText{
        SoftmaxNotice::rows_not_injective,
        "rows_not_injective",
        "d < m(k-1): a row that fits one common pattern need not come from heads that agree; "
        "use shorter sequences or a larger d"},
    NoticeText{SoftmaxNotice::sum_zero,
               "sum_zero",
               "the estimate of the sum of the W_i vanishes beside the labels, so no row can be "
               "regressed on it; the heads' values cancel"},
    NoticeText{SoftmaxNotice::sum_singular,
               "sum_singular",
               "the sum of the W_i is nearly singular: rows that differ along its kernel cannot be "
               "told apart"},
    NoticeText{SoftmaxNotice::too_few_constraints,
               "too_few_constraints",
               "fewer than d^2 + m constraints survive sculpting; give more examples"},
    NoticeText{SoftmaxNotice::coverage,
               "coverage",
               "the rows on which the heads look at one token do not cover every direction; give "
               "more examples"},
    NoticeText{
        SoftmaxNotice::no_hull,
        "no_hull",
        "no candidate gives an affine hull within the norm window: agreement of the heads is "
        "too rare in these data; give more examples"},
    NoticeText{SoftmaxNotice::weak_gap,
               "weak_gap",
               "the singular values show no clear gap at m, so the hull may be wrong; check m, or "
               "give more examples"},
    NoticeText{SoftmaxNotice::net_empty,
               "net_empty",
               "the hull is farther from 0 than the norm window reaches; raise the window"},
    NoticeText{
        SoftmaxNotice::budget,
        "budget",
        "the net has more tuples than allowed; use fewer points per axis or raise the limit"},
    NoticeText{SoftmaxNotice::net_inaccurate,
               "net_inaccurate",
               "the best tuple of the net does not predict held-out labels: the algorithm failed "
               "before any polish"},
    NoticeText{SoftmaxNotice::not_validated,
               "not_validated",
               "the result does not predict held-out labels"},
    NoticeText{
        SoftmaxNotice::redundant_head,
        "redundant_head",
        "the labels come from fewer heads than asked for, so these heads are not determined; "
        "ask for fewer"},
};

const NoticeText& text_of(SoftmaxNotice notice) {
    const auto* const found = std::find_if(
        kNotices.begin(), kNotices.end(), [&](const NoticeText& t) { return t.notice == notice; });
    ensure(found != kNotices.end(), "a notice without a text");
    return *found;
}

}  // namespace

SoftmaxResult learn_softmax(const SoftmaxSource& source,
                            const SoftmaxExamples& held_out,
                            const SoftmaxLearnOptions& options) {
    require(source.k >= 2 && source.count >= 1,
            "learn_softmax: expected sequences of at least 2 tokens and at least one example");
    check(held_out);
    require(held_out.d() == source.d && held_out.k == source.k,
            "learn_softmax: the held-out examples have another shape");
    return Run(source, held_out, options).take();
}

SoftmaxHeads SoftmaxResult::heads() const {
    if (polished) {
        return polished->heads;
    }
    return net.best.empty() ? SoftmaxHeads() : net.best.front().heads;
}

bool SoftmaxResult::has(SoftmaxNotice notice) const {
    return std::find(notices.begin(), notices.end(), notice) != notices.end();
}

std::string_view to_string(SoftmaxNotice notice) {
    return text_of(notice).name;
}

std::string_view explanation(SoftmaxNotice notice) {
    return text_of(notice).line;
}

std::string_view to_string(SoftmaxOutcome outcome) {
    return name_of(kSoftmaxOutcomeNames, outcome);
}

}  // namespace attest
