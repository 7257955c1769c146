#include "core/rng/stream.hpp"

#include "core/rng/philox.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace attest {

namespace {

TEST(Stream, WordsArePinned) {
    // Generated data depend on these words: a change here changes every committed digest.
    const Stream root(7);

    EXPECT_EQ(root.at(0), 259366852778945961U);
    EXPECT_EQ(root.child("example").at(0), 14571096616077712212U);
    EXPECT_EQ(root.child("example").child(3).at(5), 6144285740282164141U);
    EXPECT_EQ(root.child("a name of more than eight bytes").at(1), 4698023489955755459U);
}

TEST(Stream, PathPrintsSeedNamesAndIndices) {
    EXPECT_EQ(Stream(7).child("fig2").child("example").child(3).path(), "7/fig2/example[3]");
}

TEST(Stream, TwoWordsMakeOneBlock) {
    const Stream stream = Stream(1).child("x");

    EXPECT_EQ(stream.at(6), stream.block(3)[0]);
    EXPECT_EQ(stream.at(7), stream.block(3)[1]);
}

TEST(Stream, ChildrenThatDifferOnlyInTheKindOfNameDiffer) {
    const Stream root(0);
    const std::string zero_bytes(8, '\0');

    std::set<std::uint64_t> words;
    for (const Stream& stream : {root,
                                 root.child(0),
                                 root.child("0"),
                                 root.child(zero_bytes),
                                 root.child(zero_bytes.substr(1)),
                                 root.child(0).child(0)}) {
        words.insert(stream.at(0));
    }

    EXPECT_EQ(words.size(), 6U);
}

TEST(Stream, NegativeIndicesNameStreamsOfTheirOwn) {
    EXPECT_NE(Stream(0).child(-1).at(0), Stream(0).child(1).at(0));
}

TEST(Stream, RefusesNamesThatWouldBlurThePath) {
    const Stream root(0);

    EXPECT_REFUSED("stream: got the name 'a/b'", root.child("a/b"));
    EXPECT_REFUSED("stream: got the name ''", root.child(""));
    EXPECT_REFUSED("stream: got word -1", root.at(-1));
}

RC_GTEST_PROP(Stream, DependsOnSeedAndPathOnly, (std::uint64_t seed, Index i, std::uint16_t k)) {
    const Stream first = Stream(seed).child("example").child(i);
    const Stream other = Stream(seed).child("example").child(i + 1);
    (void)other.at(k);

    RC_ASSERT(Stream(seed).child("example").child(i).at(k) == first.at(k));
    RC_ASSERT(other.at(k) != first.at(k));
}

RC_GTEST_PROP(Stream, DifferentSeedsGiveDifferentWords, (std::uint64_t a, std::uint64_t b)) {
    RC_PRE(a != b);

    RC_ASSERT(Stream(a).at(0) != Stream(b).at(0));
}

RC_GTEST_PROP(Draws, WalkTheWordsInOrder, (std::uint64_t seed)) {
    const Stream stream(seed);
    Draws draws(stream);

    for (Index k = 0; k < 9; ++k) {
        RC_ASSERT(draws.word() == stream.at(k));
    }
}

RC_GTEST_PROP(Draws, BelowStaysBelow, (std::uint64_t seed)) {
    const auto n = *rc::gen::suchThat(rc::gen::arbitrary<std::uint64_t>(),
                                      [](std::uint64_t x) { return x > 0; });
    Draws draws{Stream(seed)};

    RC_ASSERT(draws.below(n) < n);
    RC_ASSERT(draws.below(1) == 0U);
}

TEST(Draws, BelowIsTheUpperHalfOfTheProduct) {
    // 2⁶⁴ mod 2⁶³ = 0: no word is refused and the result is the word's upper 63 bits.
    const Stream stream(5);
    Draws draws(stream);

    EXPECT_EQ(draws.below(std::uint64_t{1} << 63U), stream.at(0) >> 1U);
}

TEST(Draws, BelowRefusesWordsThatWouldBias) {
    // For n = 2⁶³ + 1 almost half of the words are refused, so some draw must skip a word.
    const Stream stream(5);
    Draws draws(stream);
    const std::uint64_t n = (std::uint64_t{1} << 63U) + 1;

    for (int i = 0; i < 64; ++i) {
        (void)draws.below(n);
    }

    EXPECT_NE(draws.word(), stream.at(64));
}

TEST(Draws, BelowZeroIsRefused) {
    Draws draws{Stream(0)};

    EXPECT_REFUSED("below: got n = 0", draws.below(0));
}

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
