#pragma once

#include "core/certify/rank/exact_rank.hpp"

#include <functional>
#include <string>
#include <vector>

namespace attest {

/// Examples with one query token in common, and the rank of their states pack(S).
struct QueryGroup {
    std::vector<Index> examples;  ///< ascending
    ExactRank states;  ///< its rows are the group's examples, its columns q state entries
};

/// What the groups prove about the rank of all N×ψ features. Without groups: nothing.
struct GroupedRank {
    std::vector<QueryGroup> groups;  ///< their queries are linearly independent
    RankProfile queries;             ///< proves that: all groups, and as many coordinates
    RankVerdict verdict = RankVerdict::undecided;
    Index psi = 0;
    Index rank_lower = 0;
    Index rank_upper = 0;
    bool complete = false;  ///< every example is in a group, so that the ranks of the groups add up
    std::string reason;     ///< one line for people

    [[nodiscard]] bool rank_is_exact() const { return rank_lower == rank_upper; }
};

/// Examples by their queries, wherever their tokens are.
struct GroupedExamples {
    Index num_examples = 0;
    std::vector<std::vector<Index>> groups;  ///< as query_groups
    Matrix queries;                          ///< d×groups
    /// The rank of the states of a group's examples, with these null vectors if it can.
    std::function<ExactRank(Index group, NullVectors wanted)> states;
};

/// Decides the rank over Q by groups of examples that share their query: with linearly independent
/// queries it is the sum of the groups' ranks, each of q = d(d+1)/2 columns; full where d
/// independent queries each have a group of rank q, whatever else the data hold. O(N q² + d q³)
/// modular operations where certify_rank takes O(N ψ²), and 8q² bytes. Undecided where the
/// queries are neither. Throws InvalidInput for other layers than the paper's and for prefixes.
[[nodiscard]] GroupedRank certify_grouped_rank(const Dataset& data,
                                               const ExactRankOptions& options = {});

/// The same of examples that somebody else groups; `wanted` is for groups that all count.
[[nodiscard]] GroupedRank certify_grouped_rank(const GroupedExamples& examples, NullVectors wanted);

}  // namespace attest
