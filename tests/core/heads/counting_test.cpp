#include "core/heads/counting.hpp"

#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace attest {
namespace {

TEST(CountingBound, OfSquareValuesIsTheKnownTable) {
    // ⌈d²(1 − √((1 − 1/d)/2))⌉ for d = 1 … 10 and 16.
    constexpr std::array<Index, 10> kBound{1, 2, 4, 7, 10, 13, 17, 22, 27, 33};

    for (Index d = 1; d <= 10; ++d) {
        EXPECT_EQ(counting_bound(d, d), kBound.at(static_cast<std::size_t>(d - 1)));
    }
    EXPECT_EQ(counting_bound(16, 16), 81);
}

TEST(CountingBound, OfOneOutputIsD) {
    for (Index d = 1; d <= 12; ++d) {
        EXPECT_EQ(counting_bound(d, 1), d);
    }
}

TEST(CountingBound, OfTwoOutputsIsAnEqualityAtD) {
    for (Index d = 2; d <= 12; ++d) {
        EXPECT_EQ(counting_bound(d, 2), d);
        EXPECT_EQ(d * (2 * d + d * d) - d * d, 2 * feature_dim(d));
    }
}

TEST(CountingBound, IsNeverAboveTheLinearConstructionNorAboveDSquared) {
    for (Index d = 1; d <= 8; ++d) {
        for (Index o = 1; o <= 2 * d; ++o) {
            EXPECT_LE(counting_bound(d, o), linear_head_count(d, o)) << d << ' ' << o;
            EXPECT_LE(linear_head_count(d, o), std::min(o * d, d * d)) << d << ' ' << o;
        }
        if (d >= 2) {
            EXPECT_LT(linear_head_count(d, d), d * d);
        }
    }
}

// The count is an upper bound of the dimension; a rank modulo a prime at integer heads is a lower
// bound. Where they meet, both are the dimension, exactly.
TEST(HeadDimension, IsTheRankOfTheJacobianExactly) {
    for (Index d = 1; d <= 4; ++d) {
        for (Index o = 1; o <= d + 2; ++o) {
            for (Index H = 0; H <= std::min(counting_bound(d, o) + 1, o * d); ++H) {
                const Parameters theta =
                    test::integer_parameters(d, o, H, Stream(21).child(d).child(o).child(H));

                EXPECT_EQ(test::exact_jacobian_rank(theta), head_dimension(d, o, H))
                    << d << ' ' << o << ' ' << H;
            }
        }
    }
}

TEST(HeadDimension, WithoutTheKoszulRelationsWouldBeWrongForOneOutput) {
    const Index d = 3;
    const Index naive = 2 * (d + d * d) - 4;

    EXPECT_GT(naive, head_dimension(d, 1, 2));
}

TEST(Counting, RefusesEmptyShapes) {
    EXPECT_EQ(test::invalid_input_message([] { (void)counting_bound(0, 1); }),
              "counting_bound: a size is out of range");
    EXPECT_EQ(test::invalid_input_message([] { (void)head_dimension(1, 1, -1); }),
              "head_dimension: a size is out of range");
    EXPECT_EQ(test::invalid_input_message([] { (void)linear_head_count(1, 0); }),
              "linear_head_count: a size is out of range");
}

}  // namespace
}  // namespace attest
