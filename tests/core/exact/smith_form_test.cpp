#include "core/exact/smith_form.hpp"

#include "core/base/interrupt.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace attest {
namespace {

MatrixOf<Integer> integers(std::initializer_list<std::initializer_list<int>> rows) {
    MatrixOf<Integer> A(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
    Index i = 0;
    for (const auto& row : rows) {
        Index j = 0;
        for (const int entry : row) {
            A(i, j++) = entry;
        }
        ++i;
    }
    return A;
}

std::vector<Integer> divisors(std::initializer_list<int> values) {
    return {values.begin(), values.end()};
}

TEST(SmithForm, OfOneBlockIsThatOfTheDefinition) {
    // The entries have gcd 2, and the determinant is -8: 2 and 8/2.
    EXPECT_EQ(elementary_divisors(integers({{2, 4}, {6, 8}})), divisors({2, 4}));
    EXPECT_EQ(elementary_divisors(integers({{1, 2}, {2, 4}})), divisors({1})) << "rank 1";
    EXPECT_EQ(elementary_divisors(integers({{2, 3, 5}})), divisors({1}));
}

TEST(SmithForm, OfATextbookMatrix) {
    // d_1 = gcd of the entries, d_1 d_2 = gcd of the 2×2 minors, the product is |det| = 624.
    EXPECT_EQ(elementary_divisors(integers({{2, 4, 4}, {-6, 6, 12}, {10, 4, 16}})),
              divisors({2, 2, 156}));
}

TEST(SmithForm, OfRectangularAndDeficientMatrices) {
    EXPECT_EQ(elementary_divisors(integers({{1, 2, 3}, {0, 2, 4}})), divisors({1, 2}));
    EXPECT_EQ(elementary_divisors(integers({{3, 6, 9}, {2, 4, 6}})), divisors({1}))
        << "rank 1: multiples of (1,2,3) by 3 and 2";
    EXPECT_EQ(elementary_divisors(integers({{0, 0}, {0, 0}})), divisors({}));
}

TEST(SmithForm, DoesNotChangeUnderUnimodularRowsAndColumns) {
    const MatrixOf<Integer> A = integers({{6, 0}, {0, 4}});
    const MatrixOf<Integer> U = integers({{1, 5}, {0, 1}});
    const MatrixOf<Integer> W = integers({{2, 1}, {1, 1}});
    EXPECT_EQ(elementary_divisors(A), divisors({2, 12}));
    EXPECT_EQ(elementary_divisors(U * A * W), divisors({2, 12}));
    EXPECT_NE(elementary_divisors(integers({{2, 0}, {0, 1}}) * A), divisors({2, 12}));
}

TEST(SmithForm, OfADirectSumIsJoined) {
    EXPECT_EQ(elementary_divisors(integers({{2, 0}, {0, 3}})), divisors({1, 6}));
    EXPECT_EQ(elementary_divisors(integers({{4, 0, 0}, {0, 6, 0}, {0, 0, 10}})),
              divisors({2, 2, 60}));
    EXPECT_EQ(
        elementary_divisors(integers({{0, 0, 1, 1}, {2, 4, 0, 0}, {0, 0, 0, 1}, {6, 8, 0, 0}})),
        divisors({1, 1, 2, 4}))
        << "two blocks, their rows and columns mixed";
    EXPECT_EQ(elementary_divisors(integers({{0, 0}, {0, 5}})), divisors({5}))
        << "a row and a column of zeros";
}

TEST(SmithForm, OfADirectSumIsThatOfTheSameLatticeInAnotherBasis) {
    // Unimodular row operations join the blocks diag(4), diag(6), diag(10) into one.
    EXPECT_EQ(elementary_divisors(integers({{4, 6, 10}, {0, 6, 10}, {4, 6, 20}})),
              divisors({2, 2, 60}));
}

TEST(SmithForm, StopsWhenAsked) {
    StopToken token;
    token.request();
    const StopScope scope(&token);
    EXPECT_THROW((void)elementary_divisors(integers({{1}})), Interrupted);
}

}  // namespace
}  // namespace attest
