#pragma once

#include "core/softmax/attention.hpp"
#include "core/softmax/examples.hpp"

#include <vector>

namespace attest {

/// How often the heads of a layer agree on a row, which decides how many examples sculpting needs:
/// P(max_{i,i',j} |p_j^i − p_j^{i'}| ≤ ε, all p ≥ least) falls like ε^{(m−1)(k−1)}.
struct Rarity {
    Index rows = 0;
    std::vector<Index> agreeing;  ///< rows that agree within each ε
    Index sparse = 0;  ///< rows on which every head puts more than 0.99 on the same token
};

/// Counts over a source, whose labels are not used. One pass, O(N m k² d).
[[nodiscard]] Rarity agreement(const SoftmaxHeads& heads,
                               const SoftmaxSource& source,
                               const std::vector<double>& epsilons,
                               double least_probability = 0.05);

/// The slope of log P against log ε by least squares over the ε with at least `fewest` rows, each
/// weighted by its count; NaN when fewer than two are left.
[[nodiscard]] double rarity_slope(const Rarity& rarity,
                                  const std::vector<double>& epsilons,
                                  Index fewest = 20);

}  // namespace attest
