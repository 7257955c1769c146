#pragma once

#include "core/softmax/candidates.hpp"
#include "core/softmax/net_search.hpp"
#include "core/softmax/polish.hpp"
#include "core/softmax/sign_cone.hpp"
#include "core/softmax/value_sum.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// What the phases can find wrong. Warnings do not stop the algorithm.
enum class SoftmaxNotice : std::uint8_t {
    rows_not_injective,   ///< warning: d < m(k−1)
    sum_zero,             ///< stop: Ŵ vanishes beside the labels
    sum_singular,         ///< warning: the refined Σ W is nearly singular
    too_few_constraints,  ///< stop: fewer than d² + m constraints survive
    coverage,             ///< warning: the tokens of the third phase miss a direction
    no_hull,              ///< stop: every candidate hull was rejected
    weak_gap,             ///< warning: the singular values show no clear gap
    net_empty,            ///< stop: the norm window does not reach the hull
    budget,               ///< stop: too many tuples
    net_inaccurate,       ///< the net's winner does not predict held-out labels
    not_validated,        ///< the result does not predict held-out labels
    redundant_head,       ///< fewer heads than asked for compute the same labels
};

/// σ_m/σ_{m+1} below which the singular values show no clear gap.
constexpr double kWeakGap = 3.0;

/// snake_case, as in files and on the command line.
[[nodiscard]] std::string_view to_string(SoftmaxNotice notice);

/// One line for people: what was seen, what it means, what helps.
[[nodiscard]] std::string_view explanation(SoftmaxNotice notice);

/// What a run amounts to. Only `recovered` and `predicts` are successes of the algorithm itself.
enum class SoftmaxOutcome : std::uint8_t {
    recovered,  ///< the net's winner predicts, after the polish validation is exact, and no head
                ///< can be left out
    predicts,   ///< the net's winner predicts; not polished, not to exactness, or with heads to
                ///< spare
    recovered_by_polish,  ///< the algorithm failed; Levenberg–Marquardt found the heads all the
                          ///< same, none to spare
    failed,
};

[[nodiscard]] std::string_view to_string(SoftmaxOutcome outcome);

struct SoftmaxLearnOptions {
    Index m = 0;  ///< heads; 0: found from the singular values, fewer if an exact fit needs fewer
    CandidateOptions candidates;  ///< its m and largest_norm are set from here
    double largest_norm = 0.0;  ///< top of the window of ‖Θ_i‖; 0: 1.5·√m times the proxy's norm
    Index net_points = 0;       ///< per axis; 0: the net's default
    double most_tuples = 2e7;
    Index training = 600;  ///< examples of net search and polish, the source's first
    bool polish = true;
    FitControl control = polish_control();
};

/// The held-out relative squared error below which the net's winner, unpolished, counts as a
/// success of the algorithm, and the one below which a noiseless result counts as exact.
inline constexpr double kNetSuccess = 0.03;
inline constexpr double kExactSuccess = 1e-16;

/// Everything a run found, phase by phase; later parts are empty when a phase stopped the run.
struct SoftmaxResult {
    SoftmaxOutcome outcome = SoftmaxOutcome::failed;
    std::vector<SoftmaxNotice> notices;
    Index examples = 0;  ///< used, repeated Boolean sequences aside
    Index m = 0;
    Matrix crude;                           ///< phase 1
    std::vector<HullCandidate> candidates;  ///< phases 2 to 5
    std::optional<std::size_t> chosen;
    NetSearch net;                 ///< phase 6
    std::optional<SignCone> cone;  ///< where the net's tuples came from its rays instead of a grid
    std::optional<double> net_validation;  ///< held-out relative error of the net's winner
    std::optional<SoftmaxFit> polished;
    std::optional<double> validation;       ///< of the result
    std::map<std::string, double> seconds;  ///< by phase

    /// The heads: polished if that was done, else the net's winner, else none.
    [[nodiscard]] SoftmaxHeads heads() const;
    [[nodiscard]] bool has(SoftmaxNotice notice) const;
};

/// Learns a softmax attention layer by the six phases of arXiv 2402.04084, as completed in
/// docs/softmax.md, validates on held-out examples and polishes. Boolean sequences that repeat are
/// used once. Memory: one block, the kept rows, and the examples themselves up to 256 MB. Throws
/// InvalidInput when k < 2 or the held-out examples have another shape.
[[nodiscard]] SoftmaxResult learn_softmax(const SoftmaxSource& source,
                                          const SoftmaxExamples& held_out,
                                          const SoftmaxLearnOptions& options);

}  // namespace attest
