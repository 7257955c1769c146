#include "core/moments/whitened_source.hpp"

#include "core/base/bitwise.hpp"
#include "core/moments/whitening.hpp"
#include "tests/support/arbitrary_dataset.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest {
namespace {

/// Powers of two on the diagonal, small integers below: whitening small dyadic numbers is exact.
Matrix dyadic_factor(Index d) {
    Matrix L = Matrix::Zero(d, d);
    for (Index j = 0; j < d; ++j) {
        L.row(j).head(j).setConstant(static_cast<double>(j + 1));
        L(j, j) = j % 2 == 0 ? 2.0 : 0.5;
    }
    return L;
}

/// The same moments from a whitened copy of the whole data set.
MomentBatch whitened_at_once(Dataset data, const Matrix& L) {
    data.tokens = whiten_tokens<double>(L, data.tokens.view());
    return collect(DatasetSource(data));
}

RC_GTEST_PROP(WhitenedSource, HoldsTheMomentsOfTheWhitenedDataSet, ()) {
    const Dataset data = test::arbitrary_dataset();
    const Matrix L = dyadic_factor(data.d());
    const MomentBatch expected = whitened_at_once(data, L);

    const MomentBatch batch = collect(WhitenedSource(SequencesInMemory(data), L));

    RC_ASSERT(batch.S == expected.S);
    RC_ASSERT(batch.u == expected.u);
    RC_ASSERT(batch.y == expected.y);
}

TEST(WhitenedSource, CarriesPrefixesAcrossBlocks) {
    Dataset data;
    data.labels = LabelKind::per_prefix;
    data.tokens = test::normal_matrix(3, 900, Stream(41));
    data.y = test::normal_matrix(2, 900, Stream(42));
    // Sequences that span blocks of 256, end at a block's end, and lie within one.
    data.offsets = {0, 10, 512, 513, 900};
    const Matrix L = dyadic_factor(3);
    const MomentBatch expected = whitened_at_once(data, L);

    const SequencesInMemory sequences(data);
    const WhitenedSource source(sequences, L);

    EXPECT_EQ(source.shape().num_blocks, 4);
    const MomentBatch batch = collect(source);
    EXPECT_EQ(batch.S, expected.S);
    EXPECT_EQ(batch.u, expected.u);
    EXPECT_EQ(batch.y, expected.y);
    EXPECT_EQ(source.block(2).S, expected.S.middleCols(512, 256)) << "blocks in any order";
}

TEST(WhitenedSource, AnotherFactorIsNoticed) {
    const Dataset data =
        test::planted_dataset(test::normal_parameters(2, 1, 1, Stream(1)), 300, 2, Stream(2));
    EXPECT_NE(collect(WhitenedSource(SequencesInMemory(data), dyadic_factor(2))).S,
              collect(WhitenedSource(SequencesInMemory(data), Matrix::Identity(2, 2))).S);
    EXPECT_EQ(collect(WhitenedSource(SequencesInMemory(data), Matrix::Identity(2, 2))).S,
              collect(DatasetSource(data)).S);
}

TEST(WhitenedSource, RefusesAFactorOfAnotherSizeAndBlocksOutOfRange) {
    const Dataset data =
        test::planted_dataset(test::normal_parameters(2, 1, 1, Stream(1)), 3, 2, Stream(2));
    const SequencesInMemory sequences(data);
    EXPECT_EQ(test::invalid_input_message(
                  [&] { (void)WhitenedSource(sequences, Matrix::Identity(3, 3)); }),
              "WhitenedSource: got L 3x3, expected 2x2");
    const WhitenedSource source(sequences, Matrix::Identity(2, 2));
    EXPECT_EQ(test::invalid_input_message([&] { (void)source.block(1); }),
              "SlicedSource: got block 1, expected 0 to 0");
}

}  // namespace
}  // namespace attest
