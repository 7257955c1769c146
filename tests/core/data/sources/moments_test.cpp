#include "core/data/sources/moments.hpp"

#include "core/base/error.hpp"
#include "core/exact/scalars.hpp"
#include "tests/support/arbitrary_dataset.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/process_settings.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {

namespace {

// T tokens cut at `offsets`, with a label for every prefix.
Dataset prefixes(std::vector<Index> offsets, Index d) {
    Dataset data;
    const Index T = offsets.back();
    data.offsets = std::move(offsets);
    data.labels = LabelKind::per_prefix;
    data.tokens.own().resize(d, T);
    data.y.resize(1, T);
    for (Index t = 0; t < T; ++t) {
        for (Index j = 0; j < d; ++j) {
            data.tokens.own()(j, t) = static_cast<double>((7 * t + 3 * j) % 11 - 5) / 4.0;
        }
        data.y(0, t) = static_cast<double>(t);
    }
    return data;
}

// pack(S) straight from the definition: all products of the columns, then the order of Algorithm 2.
template <class Scalar>
VectorOf<Scalar> direct_moment(const Matrix& Z) {
    const MatrixOf<Scalar> S = Z.template cast<Scalar>() * Z.template cast<Scalar>().transpose();
    VectorOf<Scalar> s(packed_dim(Z.rows()));
    Index at = 0;
    for (Index j = 0; j < Z.rows(); ++j) {
        for (Index k = j + 1; k < Z.rows(); ++k) {
            s(at++) = S(j, k);
        }
    }
    for (Index j = 0; j < Z.rows(); ++j) {
        s(at++) = S(j, j);
    }
    return s;
}

// The sequence and the length of the prefix that example e is.
Matrix prefix_of(const Dataset& data, Index e) {
    Index i = 0;
    while (data.first_token(i + 1) <= e) {
        ++i;
    }
    return data.tokens.middleCols(data.first_token(i), e + 1 - data.first_token(i));
}

// Columns (1,2) and (3,-1): S = [[10,-1],[-1,5]], packed as the pair, then the squares.
TEST(DatasetSource, GivesTheMomentsOfAHandExample) {
    Dataset data;
    data.tokens = (Matrix(2, 2) << 1, 3, 2, -1).finished();
    data.offsets = {0, 2};
    data.labels = LabelKind::per_sequence;
    data.y = Matrix::Constant(1, 1, 9);

    const MomentBatch batch = DatasetSource(data).block(0);

    EXPECT_EQ(batch.S, (Matrix(3, 1) << -1, 10, 5).finished());
    EXPECT_EQ(batch.u, (Matrix(2, 1) << 3, -1).finished());
    EXPECT_EQ(batch.y, Matrix::Constant(1, 1, 9));
}

TEST(DatasetSource, TakesTheQueryColumnThatTheDataName) {
    Dataset data;
    data.tokens = (Matrix(2, 2) << 1, 3, 2, -1).finished();
    data.offsets = {0, 2};
    data.query = {0};

    const MomentBatch batch = DatasetSource(data).block(0);

    EXPECT_EQ(batch.S, (Matrix(3, 1) << -1, 10, 5).finished());
    EXPECT_EQ(batch.u, (Matrix(2, 1) << 1, 2).finished());
    EXPECT_EQ(batch.y.rows(), 0);
    EXPECT_EQ(batch.y.cols(), 1);
}

RC_GTEST_PROP(DatasetSource, MomentsEqualZTimesItsTransposeOverTheRationals, ()) {
    const Dataset data = arbitrary_dataset();

    const MomentBatchOf<Rational> all = sequence_moments<Rational>(data, 0, data.num_sequences());

    RC_ASSERT(all.size() == data.num_examples());
    for (Index e = 0; e < all.size(); ++e) {
        const bool prefix = data.labels == LabelKind::per_prefix;
        const Matrix Z = prefix ? prefix_of(data, e) : Matrix(data.sequence(e));
        const Index query = prefix ? e : data.query_token(e);
        RC_ASSERT(VectorOf<Rational>(all.S.col(e)) == direct_moment<Rational>(Z));
        RC_ASSERT(VectorOf<Rational>(all.u.col(e)) ==
                  VectorOf<Rational>(data.tokens.col(query).cast<Rational>()));
        for (Index a = 0; a < data.o(); ++a) {
            RC_ASSERT(all.y(a, e) == Rational(data.y(a, e)));
        }
    }
}

// Small dyadic entries: the doubles are exact, so both routes must agree to the last bit.
RC_GTEST_PROP(DatasetSource, BlocksInDoubleEqualTheRationals, ()) {
    const Dataset data = arbitrary_dataset();

    const MomentBatch blocks = collect(DatasetSource(data));
    const MomentBatchOf<Rational> exact = sequence_moments<Rational>(data, 0, data.num_sequences());

    RC_ASSERT(MatrixOf<Rational>(blocks.S.cast<Rational>()) == exact.S);
    RC_ASSERT(MatrixOf<Rational>(blocks.u.cast<Rational>()) == exact.u);
    RC_ASSERT(MatrixOf<Rational>(blocks.y.cast<Rational>()) == exact.y);
}

TEST(DatasetSource, CutsExamplesIntoBlocksOf256) {
    Dataset data = prefixes({0, 700}, 2);
    const DatasetSource source(data);
    const SourceShape shape = source.shape();

    EXPECT_EQ(shape.m(), 2);
    EXPECT_EQ(shape.o, 1);
    EXPECT_EQ(shape.num_examples, 700);
    ASSERT_EQ(shape.num_blocks, 3);
    EXPECT_EQ(source.block(0).size(), 256);
    EXPECT_EQ(source.block(2).size(), 188);
    EXPECT_EQ(source.block(1).y(0, 0), 256.0);
}

// Sequences that start within a block, at its first token, at its last, and that span two blocks.
TEST(DatasetSource, CarriesTheMomentAcrossBlocks) {
    for (const std::vector<Index>& offsets : {std::vector<Index>{0, 700},
                                              {0, 255, 256, 257, 600},
                                              {0, 256, 512, 513},
                                              {0, 100, 511, 512, 768}}) {
        const Dataset data = prefixes(offsets, 3);
        const MomentBatch blocks = collect(DatasetSource(data));

        for (Index e = 0; e < data.num_examples(); ++e) {
            ASSERT_EQ(Vector(blocks.S.col(e)), direct_moment<double>(prefix_of(data, e))) << e;
            ASSERT_EQ(Vector(blocks.u.col(e)), Vector(data.tokens.col(e)));
        }
    }
}

TEST(DatasetSource, GivesTheSameBlockWheneverItIsAsked) {
    const Dataset data = prefixes({0, 300, 600}, 2);
    const DatasetSource source(data);
    const Matrix last = source.block(2).S;

    (void)source.block(0);

    EXPECT_EQ(source.block(2).S, last);
}

TEST(DatasetSource, RefusesABlockOutOfRange) {
    const Dataset data = prefixes({0, 300}, 2);
    const DatasetSource source(data);

    EXPECT_REFUSED("DatasetSource: got block 2", source.block(2));
    EXPECT_REFUSED("DatasetSource: got block -1", source.block(-1));
}

TEST(DatasetSource, CollectStatesTheMemoryItNeeds) {
    const Dataset data = prefixes({0, 3000}, 2);
    const DatasetSource source(data);
    const MemoryLimit limit(100'000);

    EXPECT_THROW((void)collect(source), EnvironmentFailure);
}

// What a wrong order of columns would look like: the moment stays, the query moves.
TEST(DatasetSource, SeesTheOrderOfTokensOnlyThroughTheQuery) {
    Dataset data = prefixes({0, 4}, 2);
    data.labels = LabelKind::per_sequence;
    data.y.conservativeResize(1, 1);
    Dataset swapped = data;
    swapped.tokens.own().col(0).swap(swapped.tokens.own().col(3));

    EXPECT_EQ(DatasetSource(data).block(0).S, DatasetSource(swapped).block(0).S);
    EXPECT_NE(DatasetSource(data).block(0).u, DatasetSource(swapped).block(0).u);
}

}  // namespace
}  // namespace attest::test
