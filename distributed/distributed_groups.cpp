#include "distributed/distributed_groups.hpp"

#include "core/layers/parse_layer.hpp"
#include "core/moments/query_groups.hpp"
#include "distributed/agreement.hpp"
#include "distributed/distributed_fit.hpp"
#include "distributed/distributed_rank.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace attest {

namespace {

/// Examples of one of a rank's blocks that share their query.
struct BlockGroup {
    std::size_t block = 0;
    std::vector<double> query;    ///< without −0
    std::vector<Index> examples;  ///< numbers in the block
};

std::vector<BlockGroup> block_groups(const ShardedData& data) {
    std::vector<BlockGroup> found;
    for (std::size_t b = 0; b < data.own.size(); ++b) {
        std::vector<std::vector<Index>> groups = query_groups(data.own[b]);
        const Matrix queries = group_queries(data.own[b], groups).array() + 0.0;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            const auto query = queries.col(static_cast<Index>(g));
            found.push_back({b, {query.begin(), query.end()}, std::move(groups[g])});
        }
    }
    return found;
}

/// Everybody's numbers, rank after rank.
template <class Number>
std::vector<Number> from_all(const Communicator& ranks, const std::vector<Number>& mine) {
    const std::vector<Index> starts = starts_of(of_ranks(ranks, std::ssize(mine)));
    std::vector<Number> all(static_cast<std::size_t>(starts.back()));
    std::copy(
        mine.begin(), mine.end(), all.begin() + starts[static_cast<std::size_t>(ranks.rank())]);
    ranks.gather_to_all(std::span<Number>(all), starts);
    return all;
}

/// The groups of all ranks, in the order of first appearance, and what the rank has of each.
class SharedGroups {
public:
    SharedGroups(const Communicator& ranks, const ShardedData& data) : data_(data) {
        together(ranks, [&] { own_ = block_groups(data); });
        std::vector<Index> first{data.first_example};  // example of each block
        for (const Dataset& block : data.own) {
            first.push_back(first.back() + block.num_examples());
        }
        std::vector<double> queries;
        std::vector<Index> sizes;
        std::vector<Index> examples;
        for (const BlockGroup& group : own_) {
            queries.insert(queries.end(), group.query.begin(), group.query.end());
            sizes.push_back(std::ssize(group.examples));
            for (const Index example : group.examples) {
                examples.push_back(first[group.block] + example);
            }
        }
        merge(from_all(ranks, queries), from_all(ranks, sizes), from_all(ranks, examples));
    }

    [[nodiscard]] const std::vector<std::vector<Index>>& groups() const { return groups_; }

    /// d×groups.
    [[nodiscard]] Matrix queries() const {
        Matrix U(data_.table.input.d, std::ssize(groups_));
        for (const auto& [query, group] : places_) {
            U.col(static_cast<Index>(group)) =
                Eigen::Map<const Vector>(query.data(), std::ssize(query));
        }
        return U;
    }

    /// A group's examples as a data set of its own whose features are their states.
    [[nodiscard]] ShardedData states(Index group) const {
        const std::vector<Index>& members = groups_[static_cast<std::size_t>(group)];
        ShardedData part;
        part.table.layer = layer_named("cross");
        part.table.input = {.d = data_.table.input.d, .x = 1};
        part.table.num_examples = std::ssize(members);
        part.first_example =
            std::lower_bound(members.begin(), members.end(), data_.first_example) - members.begin();
        for (const BlockGroup& mine : own_) {
            if (places_.at(mine.query) == static_cast<std::size_t>(group)) {
                part.own.push_back(group_states(data_.own[mine.block], mine.examples));
            }
        }
        return part;
    }

private:
    void merge(const std::vector<double>& queries,
               const std::vector<Index>& sizes,
               const std::vector<Index>& examples) {
        const Index d = data_.table.input.d;
        auto query = queries.begin();
        auto example = examples.begin();
        for (const Index size : sizes) {
            const auto [place, is_new] =
                places_.emplace(std::vector<double>(query, query + d), groups_.size());
            if (is_new) {
                groups_.emplace_back();
            }
            std::vector<Index>& members = groups_[place->second];
            members.insert(members.end(), example, example + size);
            query += d;
            example += size;
        }
    }

    const ShardedData& data_;
    std::vector<BlockGroup> own_;
    std::map<std::vector<double>, std::size_t> places_;
    std::vector<std::vector<Index>> groups_;
};

}  // namespace

GroupedRank distributed_grouped_rank(const Communicator& ranks, const ShardedData& data) {
    const SharedGroups shared(ranks, data);
    GroupedExamples examples;
    examples.num_examples = data.table.num_examples;
    examples.groups = shared.groups();
    examples.queries = shared.queries();
    examples.states = [&](Index group, NullVectors /*wanted*/) {
        ShardedData states;
        together(ranks, [&] { states = shared.states(group); });
        return distributed_exact_rank(ranks, states);
    };
    return certify_grouped_rank(examples, NullVectors::none);
}

double grouped_rank_bytes(const ShardTable& table, const BlockPartition& partition) {
    // Of an example: its number in lists of groups, and its query in three where all differ.
    const double listed = 150.0 + 24.0 * static_cast<double>(table.input.d);
    const SourceShape states{all_products(table.shape().q(), 1), 0, table.num_examples, 0};
    return share_bytes(table, partition) + listed * static_cast<double>(table.num_examples) +
           exact_rank_bytes(states, std::ssize(partition.starts) - 1);
}

}  // namespace attest
