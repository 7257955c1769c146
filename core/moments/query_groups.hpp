#pragma once

#include "core/data/dataset.hpp"

#include <span>
#include <vector>

namespace attest {

/// The examples that share their query token, group after group in the order of first appearance;
/// in a group ascending. With linearly independent queries u_g the row spaces of the features
/// s_i ⊗ u_g of different groups meet in 0 only, so that rank and least squares decouple: each
/// group is a problem about its states alone, of q instead of ψ unknowns. For data sets of the
/// paper's layer with at most one label for each sequence; throws InvalidInput for others. O(N d
/// log N).
[[nodiscard]] std::vector<std::vector<Index>> query_groups(const Dataset& data);

/// Column g is the query of the first of each group's examples: d×groups.
[[nodiscard]] Matrix group_queries(const Dataset& data,
                                   const std::vector<std::vector<Index>>& groups);

/// These examples as a problem about their states: the layer `cross` asked by 1, whose features are
/// pack(S), q of them. Ground truth and meta are left out.
[[nodiscard]] Dataset group_states(const Dataset& data, std::span<const Index> examples);

}  // namespace attest
