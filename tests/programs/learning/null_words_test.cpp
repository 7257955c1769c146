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

TEST(NullWords, WeighTheNullVectorWithItsOwnPairOfWords) {
    // Two columns of their own classes, one null vector (3, −2): nothing else is added to it.
    ColumnClasses classes(2);
    classes.observe(Row{{0, 2}, {1, 3}});
    classes.observe(Row{{0, 4}, {1, 6}});
    classes.observe(Row{{0, 1}});
    classes.observe(Row{{1, 1}});
    classes.close();
    const std::vector<Words> words =
        null_words({classes, IntegerMap(1, 2, {{0, 0, 3}, {0, 1, -2}})});
    for (std::size_t w = 0; w < 2; ++w) {
        const Modulus& p = word_moduli()[w];
        EXPECT_EQ(words[0][w], p.multiply(3, random_words(0)[w])) << "word " << w;
        EXPECT_EQ(words[1][w], p.negate(p.multiply(2, random_words(0)[w]))) << "word " << w;
    }
}

TEST(NullWords, DrawTheTwoWordsOfAPairIndependently) {
    // The error bound squares what one word lets pass. Words of one draw x < 2⁶⁴ have x as their
    // common residue modulo the product of the primes; of 64 independent pairs one has a common
    // residue as small as that with probability below 64·2⁶⁴/2¹²⁰.
    const Integer first(word_moduli()[0].prime());
    const Modulus& q = word_moduli()[1];
    for (std::uint64_t n = 0; n < 64; ++n) {
        const Words words = random_words(n);
        // x = w_0 + p·((w_1 − w_0)/p mod q).
        const Residue steps = q.multiply(q.subtract(words[1], q.reduce(Integer(words[0]))),
                                         q.inverse(q.reduce(first)));
        EXPECT_GT(Integer(words[0]) + first * Integer(steps), Integer(1) << 64) << n;
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
