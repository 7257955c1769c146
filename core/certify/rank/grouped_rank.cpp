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

/// Independent ones of the queries. A rank modulo p can be too small, so a second prime is asked
/// where the first one finds less than there could be.
RankProfile independent_queries(const Matrix& queries) {
    const MatrixRows rows(integer_columns(queries));
    return higher_rank_profile(rows,
                               Modulus(kFloatPrime),
                               Modulus(kDefaultPrime),
                               std::min(rows.num_rows(), rows.num_columns()));
}

QueryGroup decided(const GroupedExamples& all, Index group, NullVectors wanted) {
    return {all.groups[static_cast<std::size_t>(group)], all.states(group, wanted)};
}

/// Only the groups that alone have full rank q, as far as d independent queries need them.
GroupedRank by_full_groups(const GroupedExamples& all, GroupedRank found) {
    const Index d = all.queries.rows();
    const Index q = packed_dim(d);
    std::vector<Index> full;
    std::vector<QueryGroup> ranks;
    for (Index g = 0; g < std::ssize(all.groups); ++g) {
        if (std::ssize(all.groups[static_cast<std::size_t>(g)]) < q) {
            continue;
        }
        QueryGroup group = decided(all, g, NullVectors::none);
        if (group.states.verdict == RankVerdict::full_rank) {
            full.push_back(g);
            ranks.push_back(std::move(group));
        }
    }
    const Matrix queries = all.queries(Eigen::all, full);
    const RankProfile chosen = full.empty() ? RankProfile{} : independent_queries(queries);
    if (chosen.rank() < d) {
        found.reason = formatted(
            "{} distinct queries are linearly dependent, and only {} independent ones of the {} "
            "needed have a group of rank q = {}; --level exact does not group",
            all.groups.size(),
            chosen.rank(),
            d,
            q);
        return found;
    }
    for (const Index g : chosen.pivot_rows) {
        found.groups.push_back(std::move(ranks[static_cast<std::size_t>(g)]));
    }
    found.queries = independent_queries(queries(Eigen::all, chosen.pivot_rows));
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
    GroupedExamples examples;
    examples.num_examples = data.num_examples();
    examples.groups = query_groups(data);
    examples.queries = group_queries(data, examples.groups);
    examples.states = [&](Index group, NullVectors wanted) {
        const std::vector<Index>& members = examples.groups[static_cast<std::size_t>(group)];
        return certify_rank(group_states(data, members), {wanted, options.lift});
    };
    return certify_grouped_rank(examples, options.null_vectors);
}

GroupedRank certify_grouped_rank(const GroupedExamples& examples, NullVectors wanted) {
    const Index d = examples.queries.rows();
    GroupedRank found;
    found.psi = feature_dim(d);
    found.rank_upper = std::min(found.psi, examples.num_examples);
    const auto count = std::ssize(examples.groups);
    if (count <= d) {
        found.queries = independent_queries(examples.queries);
    }
    if (found.queries.rank() == count) {
        for (Index g = 0; g < count; ++g) {
            found.groups.push_back(decided(examples, g, wanted));
        }
        found.complete = true;
    } else {
        found = by_full_groups(examples, std::move(found));
    }
    if (!found.groups.empty()) {
        conclude(found);
    }
    return found;
}

}  // namespace attest
