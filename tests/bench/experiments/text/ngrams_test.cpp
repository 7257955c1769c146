#include "bench/experiments/text/ngrams.hpp"

#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(Ngrams, SmoothTowardsTheShorterTable) {
    const NgramTables tables(3, {{0, 1, 2}, {0, 1, 2}, {2, 1, 0}, {0, 0, 1}});
    EXPECT_EQ(tables.unigram(), (Vector{{0.25, 0.25, 0.5}}));
    // After 1: 2, 2, 0. With the weight of one token: (counts + unigram)/4.
    EXPECT_EQ(tables.bigram(1, 1.0), (Vector{{1.25 / 4.0, 0.25 / 4.0, 2.5 / 4.0}}));
    // Never seen: the shorter table alone.
    EXPECT_EQ(tables.bigram(2, 1.0), tables.unigram());
    EXPECT_EQ(tables.trigram(1, 1, {1.0, 8.0}), tables.bigram(1, 1.0));
    // After 2, 1: once 0.
    const Vector expected = (Vector(8.0 * tables.bigram(1, 1.0)) + Vector{{1.0, 0.0, 0.0}}) / 9.0;
    EXPECT_EQ(tables.trigram(2, 1, {1.0, 8.0}), expected);
}

TEST(Ngrams, ReadTheLastTwoWordsOfAWindow) {
    const VocabularyText text{{"<unk>", "a", "b"}, {0, 0, 0}, {{TextPart::train, {0, 1, 2, 1}}}};
    const std::vector<TextWindow> windows{{0, 2}, {0, 3}};
    const std::vector<Trigram> found = trigrams_of(text, windows);
    EXPECT_EQ(found[0].before, 0);
    EXPECT_EQ(found[0].last, 1);
    EXPECT_EQ(found[0].next, 2);
    EXPECT_EQ(found[1].before, 1);
    const std::vector<TextWindow> short_window{{0, 1}};
    EXPECT_NE(test::invalid_input_message([&] {
                  static_cast<void>(trigrams_of(text, short_window));
              }).find("a window of one word"),
              std::string::npos);
}

}  // namespace
}  // namespace attest
