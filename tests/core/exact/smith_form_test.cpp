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
