#include "bench/experiments/text/meeting_bound.hpp"

#include "bench/experiments/text/spans.hpp"
#include "core/moments/query_groups.hpp"

#include <map>
#include <set>

namespace attest {

namespace {

/// Types by sequence, each as often as it stands there.
std::vector<Index> types_of(const Dataset& data, const TokenTypes& tokens, Index sequence) {
    const auto begin = tokens.of.begin() + data.first_token(sequence);
    return {begin, begin + data.length(sequence)};
}

/// How many groups each type occurs in.
std::vector<Index> meetings(const Dataset& data,
                            const TokenTypes& tokens,
                            const std::vector<std::vector<Index>>& groups) {
    std::vector<Index> met(tokens.types.size(), 0);
    for (const std::vector<Index>& group : groups) {
        std::set<Index> seen;
        for (const Index i : group) {
            const std::vector<Index> types = types_of(data, tokens, i);
            seen.insert(types.begin(), types.end());
        }
        for (const Index type : seen) {
            ++met[static_cast<std::size_t>(type)];
        }
    }
    return met;
}

/// Counts of the types that are marked, in the sequences that hold one; columns for those only.
Matrix counts_of(const Dataset& data,
                 const TokenTypes& tokens,
                 const std::vector<Index>& group,
                 const std::vector<bool>& marked) {
    std::map<Index, Index> column;
    std::vector<std::map<Index, double>> rows;
    for (const Index i : group) {
        std::map<Index, double> row;
        for (const Index type : types_of(data, tokens, i)) {
            if (marked[static_cast<std::size_t>(type)]) {
                column.emplace(type, std::ssize(column));
                row[type] += 1.0;
            }
        }
        if (!row.empty()) {
            rows.push_back(std::move(row));
        }
    }
    Matrix counts = Matrix::Zero(std::ssize(rows), std::ssize(column));
    for (Index i = 0; i < counts.rows(); ++i) {
        for (const auto& [type, count] : rows[static_cast<std::size_t>(i)]) {
            counts(i, column.at(type)) = count;
        }
    }
    return counts;
}

}  // namespace

MeetingBound meeting_bound(const Dataset& data,
                           const TokenTypes& tokens,
                           Index rank_of_queries,
                           const LiftOptions& effort) {
    const std::vector<std::vector<Index>> groups = query_groups(data);
    const std::vector<Index> met = meetings(data, tokens, groups);
    std::vector<Index> many;
    std::vector<bool> few(tokens.types.size());
    for (std::size_t type = 0; type < met.size(); ++type) {
        few[type] = met[type] < rank_of_queries;
        if (!few[type]) {
            many.push_back(static_cast<Index>(type));
        }
    }
    MeetingBound bound{tokens.count() - std::ssize(many), 0};
    if (!many.empty()) {
        bound.rank = rank_of_queries * column_span(packed_squares(tokens, many), effort).rank.upper;
    }
    for (const std::vector<Index>& group : groups) {
        bound.rank += column_span(counts_of(data, tokens, group, few), effort).rank.upper;
    }
    return bound;
}

}  // namespace attest
