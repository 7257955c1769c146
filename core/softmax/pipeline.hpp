#pragma once

#include "core/softmax/candidates.hpp"
#include "core/softmax/crude_sum.hpp"
#include "core/softmax/net_search.hpp"
#include "core/softmax/notices.hpp"
#include "core/softmax/polish.hpp"
#include "core/softmax/sign_cone.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace attest {

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
