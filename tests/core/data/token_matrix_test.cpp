#include "core/data/token_matrix.hpp"

#include "core/data/sources/moments.hpp"
#include "tests/support/arbitrary_dataset.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace attest::test {

namespace {

// [1 2 3; 4 5 6], each column followed by an entry that is none of it.
std::shared_ptr<std::vector<double>> columns_with_gaps() {
    return std::make_shared<std::vector<double>>(
        std::vector<double>{1.0, 4.0, -1.0, 2.0, 5.0, -1.0, 3.0, 6.0});
}

const Matrix kExpected{{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}};

TEST(TokenMatrix, ReadsBorrowedColumnsWhereTheyLie) {
    const auto memory = columns_with_gaps();
    const TokenMatrix tokens(BorrowedColumns{memory->data(), 2, 3, 3, memory});

    EXPECT_TRUE(tokens.is_borrowed());
    EXPECT_EQ(tokens.view().data(), memory->data());
    EXPECT_EQ(tokens.view(), kExpected);
    EXPECT_EQ(tokens.col(1), Vector(kExpected.col(1)));
    EXPECT_EQ(tokens.middleCols(1, 2), Matrix(kExpected.rightCols(2)));
    EXPECT_EQ(tokens(1, 2), 6.0);
    EXPECT_EQ(tokens.size(), 6);
    (*memory)[4] = 7.0;
    EXPECT_EQ(tokens(1, 1), 7.0);
}

TEST(TokenMatrix, KeepsTheMemoryWhileAnyCopyReadsIt) {
    auto memory = columns_with_gaps();
    const std::weak_ptr<std::vector<double>> alive = memory;
    {
        auto first = std::make_unique<TokenMatrix>(
            BorrowedColumns{memory->data(), 2, 3, 3, std::move(memory)});
        const TokenMatrix second = *first;
        first.reset();
        EXPECT_FALSE(alive.expired());
        EXPECT_EQ(second.view(), kExpected);
    }
    EXPECT_TRUE(alive.expired());
}

TEST(TokenMatrix, ToChangeBorrowedColumnsIsToCopyThem) {
    const auto memory = columns_with_gaps();
    TokenMatrix tokens(BorrowedColumns{memory->data(), 2, 3, 3, memory});

    tokens.own()(1, 2) = 7.0;

    EXPECT_FALSE(tokens.is_borrowed());
    EXPECT_EQ(memory.use_count(), 1);
    EXPECT_EQ(memory->back(), 6.0);
    EXPECT_EQ(tokens.view(), (Matrix{{1.0, 2.0, 3.0}, {4.0, 5.0, 7.0}}));
}

TEST(TokenMatrix, HoldsAMatrixOrAnExpressionOfItsOwn) {
    TokenMatrix tokens;
    EXPECT_EQ(tokens.size(), 0);
    tokens = Matrix(0, 4);
    EXPECT_EQ(tokens.cols(), 4);
    tokens = 2.0 * kExpected;
    EXPECT_EQ(tokens.view(), Matrix(2.0 * kExpected));
    tokens.own()(0, 0) = 5.0;
    EXPECT_EQ(tokens(0, 0), 5.0);
}

TEST(TokenMatrix, RefusesColumnsThatNobodyKeepsOrThatOverlap) {
    const auto memory = columns_with_gaps();
    const auto borrow = [&](Index stride, const std::shared_ptr<const void>& keeper) {
        return invalid_input_message([&] {
            (void)TokenMatrix(BorrowedColumns{memory->data(), 2, 3, stride, keeper});
        });
    };
    EXPECT_EQ(borrow(3, nullptr), "TokenMatrix: got columns that nobody keeps, expected a keeper");
    EXPECT_EQ(borrow(1, memory),
              "TokenMatrix: got columns 2x3 that are 1 apart, expected at least 2");
}

/// The same data set with its tokens in memory with gaps between them.
Dataset with_borrowed_tokens(const Dataset& data, Index gap) {
    const auto memory =
        std::make_shared<Matrix>(Matrix::Constant(data.d() + gap, data.tokens.cols(), 0.5));
    memory->topRows(data.d()) = data.tokens.view();
    Dataset borrowed = data;
    borrowed.tokens = TokenMatrix(
        BorrowedColumns{memory->data(), data.d(), data.tokens.cols(), memory->rows(), memory});
    return borrowed;
}

RC_GTEST_PROP(TokenMatrix, DigestSelectionAndMomentsAreThoseOfOwnedTokens, ()) {
    const Dataset owned = arbitrary_dataset();
    const Dataset borrowed = with_borrowed_tokens(owned, *rc::gen::inRange<Index>(0, 3));

    RC_ASSERT(digest(borrowed) == digest(owned));
    RC_ASSERT(same(borrowed, owned));
    RC_ASSERT(same(subset(borrowed, 0, 1), subset(owned, 0, 1)));
    RC_ASSERT(same(concatenate(borrowed, borrowed), concatenate(owned, owned)));
    const MomentBatch ours = collect(DatasetSource(borrowed));
    const MomentBatch theirs = collect(DatasetSource(owned));
    RC_ASSERT(ours.S == theirs.S && ours.u == theirs.u && ours.y == theirs.y);
}

TEST(TokenMatrix, AnotherBorrowedNumberIsAnotherDigest) {
    Dataset data;
    data.tokens = kExpected;
    data.offsets = {0, 3};
    const auto memory = std::make_shared<Matrix>(kExpected);
    Dataset borrowed = data;
    borrowed.tokens = TokenMatrix(BorrowedColumns{memory->data(), 2, 3, 2, memory});

    EXPECT_EQ(digest(borrowed), digest(data));
    (*memory)(1, 2) += 1.0;
    EXPECT_NE(digest(borrowed), digest(data));
}

TEST(ExponentRange, HoldsTheBinaryExponentsOfTheNonzeroEntries) {
    Matrix A(2, 2);
    A << 0.0, -3.0, 0x1p-1074, 8.0;

    const ExponentRange range = exponent_range(A);

    EXPECT_EQ(range.low, -1074);
    EXPECT_EQ(range.high, 3);
    EXPECT_TRUE(range.within(-1074, 3));
    EXPECT_FALSE(range.within(-1073, 3));
    EXPECT_FALSE(range.within(-1074, 2));
}

TEST(ExponentRange, OfZerosIsEmptyAndWithinEverything) {
    EXPECT_TRUE(exponent_range(Matrix::Zero(2, 3)).empty());
    EXPECT_TRUE(exponent_range(Matrix(0, 0)).empty());
    EXPECT_TRUE(exponent_range(Matrix::Zero(1, 1)).within(0, 0));
}

}  // namespace

}  // namespace attest::test
