#include "core/moments/stored_source.hpp"

#include "tests/support/batch_source.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

MomentBatch batch(Index N) {
    return {test::normal_matrix(3, N, Stream(1)),
            test::normal_matrix(2, N, Stream(2)),
            test::normal_matrix(1, N, Stream(3))};
}

TEST(StoredSource, HoldsTheSameExamplesInTheSameOrder) {
    for (const Index N : {1, 7, 2500}) {
        const test::BatchSource source(batch(N), 100);
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
        const MergedSource merged(std::make_unique<test::BatchSource>(batch(N), 100));
        const MomentBatch all = collect(merged);
        EXPECT_EQ(all.S, batch(N).S);
        EXPECT_EQ(all.u, batch(N).u);
        EXPECT_EQ(all.y, batch(N).y);
        EXPECT_EQ(merged.shape().num_blocks, N == 2500 ? 3 : 1);
        EXPECT_EQ(merged.block(0).size(), std::min<Index>(N, 1000));
    }
}

TEST(StoredSource, RefusesABlockThatIsNotThere) {
    const test::BatchSource source(batch(5), 2);
    const StoredSource stored(source, 1);
    EXPECT_EQ(test::invalid_input_message([&] { (void)stored.block(3); }),
              "StoredSource: got block 3, expected 0 to 2");
}

TEST(ScaledSource, ScalesTokensSoThatSTakesTheSquare) {
    const test::BatchSource source(batch(5), 2);
    const MomentBatch scaled = collect(ScaledSource(source, 0.25));
    EXPECT_EQ(scaled.S, Matrix(batch(5).S / 16.0));
    EXPECT_EQ(scaled.u, Matrix(batch(5).u / 4.0));
    EXPECT_EQ(scaled.y, batch(5).y);
}

}  // namespace
}  // namespace attest
