#include "core/certify/rank/grouped_rank.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/exact/annihilation.hpp"
#include "core/exact/float_product.hpp"
#include "core/moments/query_groups.hpp"

#include <algorithm>
#include <utility>

namespace attest {

namespace {

using Groups = std::vector<std::vector<Index>>;

/// Each column as a row of integers, multiplied by a power of two of its own.
MatrixOf<Integer> integer_columns(const Matrix& U) {
    MatrixOf<Integer> rows(U.cols(), U.rows());
    for (Index g = 0; g < U.cols(); ++g) {
        DyadicRange range;
        for (Index l = 0; l < U.rows(); ++l) {
            range.include(U(l, g));
        }
        for (Index l = 0; l < U.rows(); ++l) {
            const Dyadic entry = dyadic(U(l, g));
            rows(g, l) = entry.mantissa == 0
                             ? Integer(0)
                             : Integer(entry.mantissa) << (entry.exponent - range.low);
        }
    }
    return rows;
}

/// Independent queries among those of the groups. A rank modulo p can be too small, so a second
/// prime is asked where the first one finds less than there could be.
RankProfile independent_queries(const Dataset& data, const Groups& groups) {
    const MatrixRows rows(integer_columns(group_queries(data, groups)));
    RankProfile fast = rank_profile(Modulus(kFloatPrime), rows);
    if (fast.rank() == std::min(rows.num_rows(), rows.num_columns())) {
        return fast;
    }
    RankProfile careful = rank_profile(Modulus(kDefaultPrime), rows);
    return careful.rank() > fast.rank() ? careful : fast;
}

QueryGroup decided(const Dataset& data,
                   const std::vector<Index>& examples,
                   const ExactRankOptions& options) {
    return {examples, certify_rank(group_states(data, examples), options)};
}

/// Only the groups that alone have full rank q, as far as d independent queries need them.
GroupedRank by_full_groups(const Dataset& data, Groups groups, GroupedRank found) {
    const Index d = data.d();
    const Index q = packed_dim(d);
    const std::size_t all = groups.size();
    std::erase_if(groups, [&](const auto& examples) { return std::ssize(examples) < q; });
    Groups full;
    std::vector<QueryGroup> ranks;
    for (const std::vector<Index>& examples : groups) {
        QueryGroup group = decided(data, examples, {NullVectors::none, {}});
        if (group.states.verdict == RankVerdict::full_rank) {
            full.push_back(examples);
            ranks.push_back(std::move(group));
        }
    }
    const RankProfile chosen = full.empty() ? RankProfile{} : independent_queries(data, full);
    if (chosen.rank() < d) {
        found.reason = formatted(
            "{} distinct queries are linearly dependent, and only {} independent ones of the {} "
            "needed have a group of rank q = {}; --level exact does not group",
            all,
            chosen.rank(),
            d,
            q);
        return found;
    }
    Groups used;
    for (const Index g : chosen.pivot_rows) {
        used.push_back(full[static_cast<std::size_t>(g)]);
        found.groups.push_back(std::move(ranks[static_cast<std::size_t>(g)]));
    }
    found.queries = independent_queries(data, used);
    return found;
}

void conclude(GroupedRank& found) {
    found.rank_lower = 0;
    Index open = 0;
    for (const QueryGroup& group : found.groups) {
        found.rank_lower += group.states.rank_lower;
        open += group.states.rank_upper - group.states.rank_lower;
    }
    if (found.complete) {
        found.rank_upper = found.rank_lower + open;
    }
    if (found.rank_lower == found.psi) {
        found.verdict = RankVerdict::full_rank;
    } else if (found.rank_upper < found.psi) {
        found.verdict = RankVerdict::deficient;
    }
    found.reason = formatted("{} groups with linearly independent queries, their ranks {} {}",
                             found.groups.size(),
                             open == 0 ? "sum to" : "sum at least to",
                             found.rank_lower);
}

}  // namespace

GroupedRank certify_grouped_rank(const Dataset& data, const ExactRankOptions& options) {
    Groups groups = query_groups(data);
    GroupedRank found;
    found.psi = feature_dim(data.d());
    found.rank_upper = std::min(found.psi, data.num_examples());
    const auto count = std::ssize(groups);
    if (count <= data.d()) {
        found.queries = independent_queries(data, groups);
    }
    if (found.queries.rank() == count) {
        for (const std::vector<Index>& examples : groups) {
            found.groups.push_back(decided(data, examples, options));
        }
        found.complete = true;
    } else {
        found = by_full_groups(data, std::move(groups), std::move(found));
    }
    if (!found.groups.empty()) {
        conclude(found);
    }
    return found;
}

}  // namespace attest
