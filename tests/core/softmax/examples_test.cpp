#include "core/softmax/examples.hpp"

#include "core/base/error.hpp"
#include "tests/core/softmax/planted.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest::test {
namespace {

TEST(SoftmaxExamples, BlocksCoverTheSourceOnceInOrder) {
    const Planted planted(setting(TokenLaw::gaussian, 2, 3, 1, 1.0), 40000, 0);
    const SoftmaxSource source = planted.source();
    Index next = 0;
    Index blocks = 0;
    for_each_block(source, [&](const SoftmaxExamples& block, Index first) {
        EXPECT_EQ(first, next);
        EXPECT_EQ(block.X.leftCols(3), source.draw(first, 1).X);
        next += block.count();
        ++blocks;
    });
    EXPECT_EQ(next, 40000);
    EXPECT_GT(blocks, 1);
}

TEST(SoftmaxExamples, HoldingASourceInMemoryChangesNothing) {
    const Planted planted(setting(TokenLaw::gaussian, 2, 2, 1, 1.0), 100, 1);
    const SoftmaxSource source = planted.source();

    const SoftmaxSource held = held_in_memory(source, 1e6);
    const SoftmaxSource streamed = held_in_memory(source, 1.0);

    EXPECT_EQ(held.draw(10, 5).Y, source.draw(10, 5).Y);
    EXPECT_EQ(streamed.draw(10, 5).Y, source.draw(10, 5).Y);
}

TEST(DistinctBoolean, KeepsOneOfEachSequenceUpToSign) {
    const Planted planted(setting(TokenLaw::boolean, 2, 2, 1, 1.0), 400, 2);

    const SoftmaxExamples distinct = distinct_boolean(planted.source()).value();

    // 2⁴ sequences in 8 classes {X, −X}; 400 draws miss one with probability 8·(7/8)^400 < 1e-22.
    ASSERT_EQ(distinct.count(), 8);
    EXPECT_EQ(distinct.Y, softmax_attention(planted.heads(), distinct.X, 2));
    for (Index i = 0; i < 8; ++i) {
        EXPECT_GT(distinct.X(0, 2 * i), 0.0);
        for (Index j = 0; j < i; ++j) {
            EXPECT_NE(distinct.X.middleCols(2 * i, 2), distinct.X.middleCols(2 * j, 2));
        }
    }
}

TEST(DistinctBoolean, AveragesTheLabelsOfASequenceUpToSign) {
    Matrix X(1, 5);
    X << 1, -1, 1, -1, 1;
    Matrix Y(1, 5);
    Y << 3, -4, 5, -6, 7;

    const SoftmaxExamples distinct = distinct_boolean(source_of({1, X, Y})).value();

    ASSERT_EQ(distinct.count(), 1);
    EXPECT_EQ(distinct.X(0, 0), 1.0);
    EXPECT_EQ(distinct.Y(0, 0), 5.0) << "3, 4, 5, 6, 7";
}

TEST(DistinctBoolean, IsForSignsOnly) {
    const Planted gaussian(setting(TokenLaw::gaussian, 2, 2, 1, 1.0), 3, 3);
    const Planted large(setting(TokenLaw::boolean, 8, 8, 1, 1.0), 3, 4);

    EXPECT_FALSE(distinct_boolean(gaussian.source()));
    EXPECT_FALSE(distinct_boolean(large.source())) << "64 entries in a sequence";
}

TEST(DistinctBoolean, LooksAtEveryExample) {
    SoftmaxExamples examples{2, Matrix::Ones(2, 200), Matrix::Ones(2, 200)};
    EXPECT_EQ(distinct_boolean(source_of(examples)).value().count(), 1);
    examples.X(1, 199) = 0.5;
    EXPECT_FALSE(distinct_boolean(source_of(examples)));
    EXPECT_EQ(prepared_source(source_of(examples)).count, 100);
}

TEST(SoftmaxExamples, ShapesAreChecked) {
    EXPECT_SAYS(invalid_input_message([] {
                    check({2, Matrix::Zero(3, 5), Matrix::Zero(3, 5)});
                    return 0;
                }),
                "softmax examples: got tokens 3x5 and labels 3x5");
    EXPECT_THROW((void)subset({2, Matrix::Zero(3, 4), Matrix::Zero(3, 4)}, 1, 2), InvalidInput);
}

}  // namespace
}  // namespace attest::test
