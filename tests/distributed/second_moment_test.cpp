#include "core/algebra/residual_ratio.hpp"
#include "core/base/bitwise.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/rng/sample.hpp"
#include "distributed/block_moments.hpp"
#include "distributed/distributed_features.hpp"
#include "distributed/shards.hpp"
#include "tests/distributed/drawn_data.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

/// Entries of the lower triangle that differ from the serial ones in any bit, on this rank; and how
/// many it has.
template <class Scalar>
std::pair<Index, Index> differing(Index d, Index N) {
    const Communicator ranks;
    const Dataset data = test::drawn_dataset(d, 2, N);
    const ShardedData shared = test::share_of(ranks, data, 50);
    const std::vector<MomentBatch> moments = own_moments(shared, given_coordinates(shared));
    const ProcessGrid grid(ranks);
    const MatrixShareOf<Scalar> share =
        second_moment_share<Scalar>(ranks, grid, BroadcastSource(ranks, shared, moments), 1);
    const auto serial = moment_sums<Scalar>(DatasetSource(data), {});
    const CyclicIndex down{share.edge, grid.rows()};
    const CyclicIndex across{share.edge, grid.cols()};
    Index differ = 0;
    Index mine = 0;
    for (Index j = 0; j < share.n; ++j) {
        for (Index i = j; i < share.n; ++i) {
            if (down.owner(i) == grid.row() && across.owner(j) == grid.col()) {
                const Scalar entry = share.entries(down.local(i), across.local(j));
                const Scalar expected = serial.gram.at(i, j);
                differ += bitwise_equal(static_cast<double>(entry), static_cast<double>(expected))
                              ? 0
                              : 1;
                ++mine;
            }
        }
    }
    return {differ, mine};
}

TEST(SecondMomentShare, EveryEntryHasTheBitsOfTheSerialOne) {
    for (const auto& [d, N] : {std::pair<Index, Index>{1, 7}, {3, 40}, {8, 1500}, {11, 900}}) {
        EXPECT_EQ((differing<double>(d, N).first), 0) << d;
        EXPECT_EQ((differing<float>(d, N).first), 0) << d;
    }
}

TEST(SecondMomentShare, TheRanksHaveTheWholeTriangle) {
    const Communicator ranks;
    std::vector<double> counts(static_cast<std::size_t>(ranks.size()), 0.0);
    counts[static_cast<std::size_t>(ranks.rank())] =
        static_cast<double>(differing<double>(8, 300).second);
    ranks.unite(std::span<double>(counts));
    double total = 0.0;
    for (const double count : counts) {
        total += count;
    }
    EXPECT_EQ(total, static_cast<double>(packed_dim(feature_dim(8))));
}

TEST(CyclicIndex, CountsWhatItOwns) {
    for (const Index processes : {1, 2, 3}) {
        const CyclicIndex cyclic{4, processes};
        for (const Index n : {0, 1, 4, 9, 25}) {
            std::vector<Index> count(static_cast<std::size_t>(processes), 0);
            for (Index i = 0; i < n; ++i) {
                Index& owned = count[static_cast<std::size_t>(cyclic.owner(i))];
                EXPECT_EQ(cyclic.local(i), owned++);
            }
            for (Index p = 0; p < processes; ++p) {
                EXPECT_EQ(cyclic.count(n, p), count[static_cast<std::size_t>(p)]);
            }
        }
    }
}

TEST(DistributedFeatures, AreThoseOfTheSource) {
    const Communicator ranks;
    const Dataset data = test::drawn_dataset(4, 2, 333);
    const ShardedData shared = test::share_of(ranks, data, 20);
    const std::vector<MomentBatch> moments = own_moments(shared, given_coordinates(shared));
    const DistributedFeatures features(ranks, shared, moments);
    const DatasetSource source(data);
    const FeatureOperator serial(source);
    const auto mine = [&](const Matrix& values) {
        return Matrix(values.middleCols(shared.first_example, shared.own_examples));
    };
    const Matrix P = grid_matrix(grid_normal(), feature_dim(4), 2, Stream(1));
    const Matrix r = grid_matrix(grid_normal(), 2, 333, Stream(2));
    EXPECT_EQ(features.labels(), mine(serial.labels()));
    EXPECT_LT(difference_ratio(mine(serial.apply(P)), features.apply(P)), kRatioBound);
    EXPECT_LT(difference_ratio(serial.apply_transposed(r), features.apply_transposed(mine(r))),
              kRatioBound);
    const double rounding = gamma_bound(2 * 333);
    EXPECT_NEAR(features.squared_norm(mine(r)) / r.squaredNorm(), 1.0, rounding);
    EXPECT_NEAR(features.longest_feature() / serial.longest_feature(), 1.0, rounding);
}

}  // namespace
}  // namespace attest
