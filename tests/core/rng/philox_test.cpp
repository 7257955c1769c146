#include "core/rng/philox.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest {
namespace {

// The three philox4x32 vectors for 10 rounds in Random123's tests/kat_vectors.
TEST(Philox, MatchesThePublishedAnswerForZeros) {
    const PhiloxCounter expected{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};

    EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), expected);
}

TEST(Philox, MatchesThePublishedAnswerForOnes) {
    const std::uint32_t ones = 0xffffffff;
    const PhiloxCounter expected{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};

    EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}), expected);
}

TEST(Philox, MatchesThePublishedAnswerForTheDigitsOfPi) {
    const PhiloxCounter expected{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};

    EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              expected);
}

TEST(Philox, KeyWordsInTheWrongOrderMissThePublishedAnswer) {
    const PhiloxCounter published{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};

    EXPECT_NE(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0x299f31d0, 0xa4093822}),
              published);
}

RC_GTEST_PROP(Philox,
              OneKeyMapsDifferentCountersToDifferentBlocks,
              (std::uint32_t a, std::uint32_t b)) {
    RC_PRE(a != b);

    RC_ASSERT(philox({a, 0, 0, 0}, {1, 2}) != philox({b, 0, 0, 0}, {1, 2}));
}

}  // namespace
}  // namespace attest
