#include "programs/learning/null_words.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using Row = std::vector<IntegerEntry>;

/// Rows over five columns: 0 and 2 agree, 3 is −1 times 1, 4 is never active; the row space over
/// the classes is that of (2, 1).
RowSpan plane() {
    ColumnClasses classes(5);
    classes.observe(Row{{0, 2}, {2, 2}, {1, 1}, {3, -1}});
    classes.observe(Row{{0, 6}, {2, 6}, {1, 3}, {3, -3}});
    classes.close();
    return {classes, IntegerMap(1, 2, {{0, 0, 1}, {0, 1, -2}})};
}

TEST(NullWords, VanishOnTheSpanAndOnNothingElseNearby) {
    const RowSpan span = plane();
    const std::vector<Words> words = null_words(span);
    Index inside = 0;
    // Every row with entries −2 … 2.
    for (Index code = 0; code < 3125; ++code) {
        Row row;
        Index rest = code;
        for (Index j = 0; j < 5; ++j, rest /= 5) {
            if (rest % 5 != 2) {
                row.push_back({j, rest % 5 - 2});
            }
        }
        EXPECT_EQ(vanishes(words, row), span.contains(row)) << code;
        inside += span.contains(row) ? 1 : 0;
    }
    EXPECT_EQ(inside, 3);  // −1, 0 and 1 times the first row
}

TEST(NullWords, CountDigitsOfLongNullVectorsByTheirPlaces) {
    ColumnClasses classes(2);
    classes.observe(Row{{0, 1}});
    classes.observe(Row{{1, 1}});
    classes.close();
    const Integer big = Integer(1) << 100;
    IntegerVector v(2);
    v << 3, -big;
    const RowSpan span(classes, std::vector<IntegerVector>{v});
    const std::vector<Words> words = null_words(span);
    for (std::size_t w = 0; w < 2; ++w) {
        const Modulus& p = word_moduli()[w];
        EXPECT_EQ(p.multiply(words[0][w], p.negate(p.reduce(big))), p.multiply(words[1][w], 3));
        EXPECT_NE(words[0][w], 0U);
    }
}

TEST(NullWords, UseTwoDifferentPrimesOfSixtyOneBits) {
    for (const Modulus& p : word_moduli()) {
        EXPECT_GT(p.prime(), std::uint64_t{1} << 60U);
        EXPECT_LT(p.prime(), std::uint64_t{1} << 61U);
        EXPECT_EQ(previous_prime(p.prime() + 1), p.prime());
    }
    EXPECT_NE(word_moduli()[0].prime(), word_moduli()[1].prime());
}

}  // namespace
}  // namespace attest
