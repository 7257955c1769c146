#include "core/softmax/candidates.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {

namespace {

constexpr Index kMostFirstRows = 50000;    // keeps memory bounded whatever the number of examples
constexpr double kLeastComplement = 1e-3;  // σ_{d²+1−m}/σ_1 of a regular complement
constexpr Index kMostHeadsSeen = 5;
constexpr double kGapOfAHead = 3.0;

class Candidates {
public:
    Candidates(const SoftmaxSource& source, const CandidateOptions& options, SculptMode mode)
        : source_(source),
          options_(options),
          mode_(mode),
          steps_(mode == SculptMode::full ? source.k - 1 : 1) {}

    void add_margins(const Matrix& W) {
        const auto last = static_cast<double>(last_rows());
        const double all = static_cast<double>(source_.count * source_.k);
        const double first = std::clamp(options_.first_fraction * all,
                                        last,
                                        std::max(last, static_cast<double>(kMostFirstRows)));
        Matrix current = W;
        for (Index r = 0; r < options_.rounds; ++r) {
            const double progress =
                options_.rounds == 1
                    ? 0.0
                    : static_cast<double>(r) / static_cast<double>(options_.rounds - 1);
            const auto rows = static_cast<Index>(first * std::pow(last / first, progress));
            const ThetaHull hull =
                spectral_hull(constraints_of(sculpted(current, rows)), options_.m);
            if (!hull.found) {
                add(formatted("margin {}", r + 1), {current, 0.0, 0});
                return;
            }
            const RefinedSum sum =
                refine_by_margin(source_,
                                 hull.x0.reshaped<Eigen::RowMajor>(source_.d, source_.d),
                                 current,
                                 TrimmedOptions());
            current = sum.W;
            add(formatted("margin {}", r + 1), sum);
        }
    }

    void add_annealing(const Matrix& W) {
        AnnealingOptions annealing;
        annealing.mode = mode_;
        annealing.last_rows = last_rows();
        add("annealing", refine_by_annealing(source_, W, annealing));
    }

    void add_anchor() { add("anchor", anchor_sum(source_)); }

    [[nodiscard]] std::vector<HullCandidate> take() { return std::move(candidates_); }

private:
    [[nodiscard]] Index last_rows() const {
        const Index constraints = options_.constraint_factor * source_.d * source_.d;
        return (constraints + steps_ - 1) / steps_;
    }

    [[nodiscard]] SculptedRows sculpted(const Matrix& W, Index rows) const {
        SculptOptions sculpting;
        sculpting.mode = mode_;
        sculpting.rows = rows;
        return sculpt(source_, W, sculpting);
    }

    void add(const std::string& origin, const RefinedSum& sum) {
        const SculptedRows rows = sculpted(sum.W, last_rows());
        HullCandidate candidate{origin, mode_, sum, {}, rows.count() * rows.steps, false};
        candidate.hull = spectral_hull(constraints_of(rows), options_.m);
        if (candidate.hull.found) {
            const Vector& sigma = candidate.hull.sigma;
            candidate.accepted =
                sigma(sigma.size() - options_.m - 1) >= kLeastComplement * sigma(0) &&
                (options_.largest_norm <= 0.0 || candidate.hull.x0.norm() <= options_.largest_norm);
        }
        candidates_.push_back(std::move(candidate));
    }

    const SoftmaxSource& source_;
    const CandidateOptions& options_;
    SculptMode mode_;
    Index steps_;
    std::vector<HullCandidate> candidates_;
};

}  // namespace

std::vector<HullCandidate> hull_candidates(const SoftmaxSource& source,
                                           const Matrix& W,
                                           const CandidateOptions& options) {
    require(options.rounds >= 1, "hull_candidates: expected at least one round");
    std::vector<HullCandidate> all;
    for (const SculptMode mode : sculpt_modes(source.d, source.k)) {
        Candidates candidates(source, options, mode);
        if (options.by_margin) {
            candidates.add_margins(W);
        }
        if (options.by_annealing) {
            candidates.add_annealing(W);
        }
        if (options.by_anchor) {
            candidates.add_anchor();
        }
        for (HullCandidate& candidate : candidates.take()) {
            all.push_back(std::move(candidate));
        }
    }
    return all;
}

std::optional<std::size_t> best_candidate(const std::vector<HullCandidate>& candidates) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (candidates[i].accepted &&
            (!best || candidates[i].hull.gap > candidates[*best].hull.gap)) {
            best = i;
        }
    }
    return best;
}

Index heads_seen(const std::vector<HullCandidate>& candidates) {
    double widest = 0.0;
    Index seen = 0;
    for (const HullCandidate& candidate : candidates) {
        if (!candidate.accepted) {
            continue;
        }
        double own = 0.0;
        Index shown = 0;
        for (Index j = 1; j <= kMostHeadsSeen && j < candidate.hull.sigma.size(); ++j) {
            const double gap = gap_for(candidate.hull, j);
            own = std::max(own, gap);
            shown = gap >= kGapOfAHead ? j : shown;
        }
        // Not the gap at the number of heads the hulls were made for: reweighting favours rows that
        // agree with every direction asked for, most of all where Σ W is poor and no direction
        // stands out, so that choice would prefer the candidate most deceived.
        if (own > widest) {
            widest = own;
            seen = shown;
        }
    }
    return seen;
}

}  // namespace attest
