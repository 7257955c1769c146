#include "core/moments/stored_source.hpp"

#include "core/data/sources/moments.hpp"
#include "core/moments/query_groups.hpp"
#include "tests/support/audit_data.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/sources.hpp"

#include <gtest/gtest.h>

namespace attest::test {

namespace {

MomentBatch batch(Index N) {
    return {normal_matrix(3, N, Stream(1)),
            normal_matrix(2, N, Stream(2)),
            normal_matrix(1, N, Stream(3))};
}

TEST(StoredSource, HoldsTheSameExamplesInTheSameOrder) {
    for (const Index N : {1, 7, 2500}) {
        const BatchSource source(batch(N), 100);
        for (const int threads : {1, 3}) {
            const StoredSource stored(source, threads);
            const MomentBatch all = collect(stored);
            EXPECT_EQ(all.S, batch(N).S);
            EXPECT_EQ(all.u, batch(N).u);
            EXPECT_EQ(all.y, batch(N).y);
            EXPECT_EQ(stored.shape().num_blocks, source.shape().num_blocks);
        }
    }
}

TEST(MergedSource, HoldsTheSameExamplesInBlocksOfAboutAThousand) {
    for (const Index N : {1, 7, 2500}) {
        const MergedSource merged(std::make_unique<BatchSource>(batch(N), 100));
        const MomentBatch all = collect(merged);
        EXPECT_EQ(all.S, batch(N).S);
        EXPECT_EQ(all.u, batch(N).u);
        EXPECT_EQ(all.y, batch(N).y);
        EXPECT_EQ(merged.shape().num_blocks, N == 2500 ? 3 : 1);
        EXPECT_EQ(merged.block(0).size(), std::min<Index>(N, 1000));
    }
}

TEST(StoredSource, RefusesABlockThatIsNotThere) {
    const BatchSource source(batch(5), 2);
    const StoredSource stored(source, 1);
    EXPECT_REFUSED("StoredSource: got block 3", stored.block(3));
}

TEST(ScaledSource, ScalesTokensSoThatSTakesTheSquare) {
    const BatchSource source(batch(5), 2);
    const MomentBatch scaled = collect(ScaledSource(source, 0.25));
    EXPECT_EQ(scaled.S, Matrix(batch(5).S / 16.0));
    EXPECT_EQ(scaled.u, Matrix(batch(5).u / 4.0));
    EXPECT_EQ(scaled.y, batch(5).y);
}

MomentBatch batch_of(Index d, Index o, Index N) {
    const Stream stream(3);
    return {normal_matrix(packed_dim(d), N, stream.child("S")),
            normal_matrix(d, N, stream.child("z")),
            normal_matrix(o, N, stream.child("y"))};
}

TEST(MomentWindow, CapacityIsAMultipleOf128BetweenItsBounds) {
    EXPECT_EQ(moment_window_capacity(1), 4096);
    EXPECT_EQ(moment_window_capacity(packed_dim(16)), 1920);
    EXPECT_EQ(moment_window_capacity(packed_dim(32)), 512);
    EXPECT_EQ(moment_window_capacity(packed_dim(64)), 512);
}

TEST(MomentWindow, WindowsHoldTheExamplesInOrderWhateverTheBlocks) {
    const MomentBatch all = batch_of(2, 3, 10000);
    for (const Index block_size : {1000, 4096, 20000}) {
        const BatchSource source(all, block_size);
        Index at = 0;
        std::vector<Index> counts;

        for_each_window(source, 5, 3, [&](const MomentWindow& window) {
            const Index n = window.count;
            EXPECT_EQ(window.left.block(0, 0, 3, n), all.S.middleCols(at, n));
            EXPECT_EQ(window.left.block(3, 0, 1, n), Matrix::Ones(1, n));
            EXPECT_EQ(window.left.bottomRows(5), Matrix::Zero(5, window.left.cols()));
            EXPECT_EQ(window.right.block(0, 0, 2, n), all.u.middleCols(at, n));
            EXPECT_EQ(window.right.block(2, 0, 3, n), all.y.middleCols(at, n));
            EXPECT_EQ(window.right.rows(), 5);
            at += n;
            counts.push_back(n);
        });

        EXPECT_EQ(counts, (std::vector<Index>{4096, 4096, 1808}));
    }
}

TEST(MomentWindow, RefusesABatchOfAnotherShape) {
    class Wrong final : public MomentSource {
    public:
        [[nodiscard]] SourceShape shape() const override { return {2, 1, 4, 1}; }

        [[nodiscard]] MomentBatch block(Index /*b*/) const override { return batch_of(2, 2, 4); }
    };

    EXPECT_REFUSED("moments: got a batch with S 3x4, u 2x4, y 2x4",
                   for_each_window(Wrong(), 0, 1, [](const MomentWindow& /*window*/) {}));
}

/// Queries (1, 0), (0, 1), (1, 0).
Dataset three() {
    return sequences({Matrix{{2, 1}, {3, 0}}, Matrix{{5, 0}, {1, 1}}, Matrix{{1, 1}, {4, 0}}});
}

TEST(QueryGroups, KeepTheOrderOfTheExamples) {
    const Dataset data = three();

    const auto groups = query_groups(data);

    EXPECT_EQ(groups, (std::vector<std::vector<Index>>{{0, 2}, {1}}));
    EXPECT_EQ(group_queries(data, groups), (Matrix{{1, 0}, {0, 1}}));
}

TEST(QueryGroups, MinusZeroIsZero) {
    Dataset data = three();
    data.tokens.own()(1, 5) = -0.0;

    EXPECT_EQ(query_groups(data).size(), 2U);
    data.tokens.own()(1, 5) = 1e-300;
    EXPECT_EQ(query_groups(data).size(), 3U);
}

TEST(QueryGroups, StatesAreThePacksOfTheGroup) {
    const Dataset data = three();

    const Dataset states = group_states(data, std::vector<Index>{0, 2});
    const MomentBatch batch = DatasetSource(states).block(0);

    // S = [2 1][2 1]ᵀ + …: pairs first, then squares, by hand.
    EXPECT_EQ(batch.S, (Matrix{{6, 4}, {5, 2}, {9, 16}}));
    EXPECT_EQ(batch.u, (Matrix{{1, 1}}));
    EXPECT_EQ(states.layout().psi(), 3);
}

TEST(QueryGroups, AnotherLayerIsRefusedWithAWayOut) {
    Dataset data = three();
    data.layer.affine = true;

    EXPECT_REFUSED("affine, expected the paper's", query_groups(data));
    EXPECT_REFUSED("use --level exact, or --solver auto", query_groups(data));
}

TEST(QueryGroups, PrefixesAreRefused) {
    Dataset data = three();
    data.labels = LabelKind::per_prefix;

    EXPECT_REFUSED("grouped: got a label for every prefix", query_groups(data));
}

}  // namespace

}  // namespace attest::test
