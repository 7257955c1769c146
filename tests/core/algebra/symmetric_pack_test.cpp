#include "core/algebra/symmetric_pack.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace attest {
namespace {

using IntegerMatrix = MatrixOf<std::int64_t>;
using IntegerVector = VectorOf<std::int64_t>;

/// A symmetric matrix of small integers, all sums exact.
IntegerMatrix draw_symmetric(Index d) {
    IntegerMatrix S(d, d);
    for (Index j = 0; j < d; ++j) {
        for (Index k = j; k < d; ++k) {
            S(j, k) = *rc::gen::inRange<std::int64_t>(-99, 100);
            S(k, j) = S(j, k);
        }
    }
    return S;
}

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(PackIndex, ListsPairsLexicographicallyThenSquares) {
    const std::vector<std::pair<Index, Index>> order{
        {0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {0, 0}, {1, 1}, {2, 2}, {3, 3}};

    for (Index at = 0; at < packed_dim(4); ++at) {
        const auto [j, k] = order.at(static_cast<std::size_t>(at));
        EXPECT_EQ(pack_index(4, j, k), at);
        EXPECT_EQ(pack_index(4, k, j), at);
        EXPECT_EQ(packed_pair(4, at), std::pair(j, k));
    }
}

TEST(PackedPair, InvertsPackIndexForEveryPosition) {
    for (Index d = 1; d <= 12; ++d) {
        for (Index at = 0; at < packed_dim(d); ++at) {
            const auto [j, k] = packed_pair(d, at);
            EXPECT_LE(j, k);
            EXPECT_EQ(pack_index(d, j, k), at);
        }
    }
}

TEST(PackedPair, RefusesAPositionOutOfRange) {
    EXPECT_EQ(message_of([] { static_cast<void>(packed_pair(3, 6)); }),
              "packed_pair: got position 6, expected 0 to 5");
    EXPECT_EQ(message_of([] { static_cast<void>(packed_pair(3, -1)); }),
              "packed_pair: got position -1, expected 0 to 5");
}

TEST(Pack, OfATwoByTwoMatrixIsPairThenSquares) {
    Matrix S(2, 2);
    S << 5, 11, 11, 25;
    Vector expected(3);
    expected << 11, 5, 25;

    EXPECT_TRUE(pack(S) == expected);
}

RC_GTEST_PROP(Pack, PutsEachEntryWherePackIndexSays, ()) {
    const auto d = *rc::gen::inRange<Index>(1, 8);
    const IntegerMatrix S = draw_symmetric(d);
    const IntegerVector s = pack(S);

    for (Index j = 0; j < d; ++j) {
        for (Index k = 0; k < d; ++k) {
            RC_ASSERT(s(pack_index(d, j, k)) == S(j, k));
        }
    }
}

RC_GTEST_PROP(Unpack, InvertsPack, ()) {
    const auto d = *rc::gen::inRange<Index>(1, 8);
    const IntegerMatrix S = draw_symmetric(d);

    RC_ASSERT(unpack(pack(S), d) == S);
}

RC_GTEST_PROP(AddToken, AddsTheOuterProductInPackedForm, ()) {
    const auto d = *rc::gen::inRange<Index>(1, 8);
    const IntegerMatrix S = draw_symmetric(d);
    IntegerVector z(d);
    for (Index j = 0; j < d; ++j) {
        z(j) = *rc::gen::inRange<std::int64_t>(-99, 100);
    }
    const IntegerMatrix sum = S + z * z.transpose();
    IntegerVector s = pack(S);

    add_token<std::int64_t>(s, z);

    RC_ASSERT(s == pack(sum));
}

/// Numbers of tokens: few, as many as go through together, and more.
Index draw_length() {
    return *rc::gen::element<Index>(0, 1, 5, kTokensTogether, 2 * kTokensTogether + 3);
}

/// Tokens whose sums of products round.
Matrix draw_tokens() {
    Matrix Z(*rc::gen::inRange<Index>(1, 28), draw_length());
    for (double& entry : Z.reshaped()) {
        entry = *rc::gen::inRange(-1000, 1000) / 7.0;
    }
    return Z;
}

RC_GTEST_PROP(AddTokens, IsOneTokenAfterTheOtherToTheLastBit, ()) {
    const Matrix Z = draw_tokens();
    Vector expected = Vector::Constant(packed_dim(Z.rows()), 0.1);
    for (Index t = 0; t < Z.cols(); ++t) {
        add_token<double>(expected, Z.col(t));
    }
    Vector s = Vector::Constant(packed_dim(Z.rows()), 0.1);

    add_tokens<double>(s, Z);

    RC_ASSERT(s == expected);
}

RC_GTEST_PROP(AddTokens, AddsZTimesItsTransposeInPackedForm, ()) {
    IntegerMatrix Z(*rc::gen::inRange<Index>(1, 20), draw_length());
    for (std::int64_t& entry : Z.reshaped()) {
        entry = *rc::gen::inRange<std::int64_t>(-99, 100);
    }
    const IntegerMatrix S = Z * Z.transpose();
    IntegerVector s = IntegerVector::Zero(packed_dim(Z.rows()));

    add_tokens<std::int64_t>(s, Z);

    RC_ASSERT(s == pack(S));
}

TEST(AddToken, CountsEachPairOnce) {
    // The unscaled packing: an off-diagonal entry is z_j z_k, neither doubled nor divided by √2.
    Vector s = Vector::Zero(3);

    add_token<double>(s, Vector{{2.0, 3.0}});

    EXPECT_TRUE(s == (Vector{{6.0, 4.0, 9.0}}));
}

TEST(Pack, RefusesAMatrixThatIsNotSquare) {
    EXPECT_EQ(message_of([] { static_cast<void>(pack<double>(Matrix::Zero(2, 3))); }),
              "pack: got 2x3, expected a square matrix");
}

TEST(Unpack, RefusesAVectorOfTheWrongLength) {
    EXPECT_EQ(message_of([] { static_cast<void>(unpack<double>(Vector::Zero(5), 3)); }),
              "unpack: got 5 entries, expected 6 for d = 3");
}

}  // namespace
}  // namespace attest
