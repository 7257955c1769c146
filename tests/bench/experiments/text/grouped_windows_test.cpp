#include "bench/experiments/text/grouped_windows.hpp"

#include "core/certify/rank/grouped_rank.hpp"
#include "core/rng/sample.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <set>

namespace attest {
namespace {

/// Two documents of random words 1 … words, the first the commonest; a third is for tests.
VocabularyText random_text(Index words, Index length, std::uint64_t seed) {
    Draws draws{Stream(seed)};
    VocabularyText text;
    for (Index i = 0; i <= words; ++i) {
        text.vocabulary.push_back("w" + std::to_string(i));
    }
    for (const TextPart part : {TextPart::train, TextPart::train, TextPart::test}) {
        WordList document{part, {}};
        for (Index t = 0; t < length; ++t) {
            const std::uint64_t below = 1 + draws.below(static_cast<std::uint64_t>(words));
            document.words.push_back(static_cast<std::int32_t>(1 + draws.below(below)));
        }
        text.documents.push_back(document);
    }
    return text;
}

/// Every window of at most n tokens that ends in one of the d commonest words, with the codes that
/// grouped_windows gives: those of the types, from windows that hold them.
Dataset every_window(const VocabularyText& text, const GroupedWindows& options) {
    Dataset all;
    for (Index length = 1; length <= options.n; ++length) {
        GroupedWindows fixed = options;
        fixed.lengths = WindowLengths::fixed;
        fixed.n = length;
        const Dataset some = grouped_windows(text, fixed);
        all = all.offsets.empty() ? some : concatenate(all, some);
    }
    return all;
}

TEST(GroupedWindows, ThatAreLeftOutAddNoRank) {
    // At most nine words at four distances, fewer than the 40 windows at which a group is cut off.
    const Index d = 8;
    for (const TokenCode code : {TokenCode::words, TokenCode::distances}) {
        for (const Index length : {12, 40}) {
            const VocabularyText text = random_text(9, length, 11);
            const GroupedWindows options{code, WindowLengths::up_to, d, 4, 3};
            const Dataset some = grouped_windows(text, options);
            const Dataset every = every_window(text, options);
            ASSERT_LT(some.num_sequences(), every.num_sequences());
            const GroupedRank kept = certify_grouped_rank(some);
            const ExactRank all = certify_rank(every);
            ASSERT_TRUE(kept.rank_is_exact() && all.rank_is_exact());
            EXPECT_EQ(kept.rank_lower, all.rank_lower) << length << ' ' << to_string(code);
        }
    }
}

TEST(GroupedWindows, AreCutOffSoonAfterTheRankThatAGroupCanHave) {
    const VocabularyText text = random_text(40, 600, 2);
    const Dataset data =
        grouped_windows(text, {TokenCode::distances, WindowLengths::up_to, 4, 12, 0});
    EXPECT_EQ(data.num_sequences(), 4 * (packed_dim(4) + packed_dim(4) / 8));
}

TEST(GroupedWindows, OfOneHotWordsHaveTheRankOfTheUngroupedOnes) {
    const VocabularyText text = random_text(9, 60, 4);
    const Dataset data = grouped_windows(text, {TokenCode::one_hot, WindowLengths::fixed, 4, 3, 0});
    EXPECT_EQ(data.tokens.view().colwise().sum(), Eigen::RowVectorXd::Ones(data.tokens.cols()));
    const GroupedRank grouped = certify_grouped_rank(data);
    EXPECT_TRUE(grouped.complete);
    EXPECT_EQ(grouped.rank_lower, certify_rank(data).rank_lower);
    EXPECT_LE(grouped.rank_lower, 16);
}

TEST(GroupedWindows, AskTheCommonestWordsAndAreDifferent) {
    const VocabularyText text = random_text(9, 60, 5);
    const Dataset data = grouped_windows(text, {TokenCode::words, WindowLengths::fixed, 3, 2, 0});
    std::set<std::vector<double>> queries;
    std::set<std::vector<double>> windows;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        EXPECT_EQ(data.length(i), 2);
        const Matrix Z = data.sequence(i);
        queries.insert({Z.col(1).begin(), Z.col(1).end()});
        EXPECT_TRUE(windows.insert({Z.data(), Z.data() + Z.size()}).second) << "window " << i;
        EXPECT_LE(Z.cwiseAbs().maxCoeff(), 1.0);
    }
    EXPECT_EQ(std::ssize(queries), 3);
}

TEST(GroupedWindows, OfAPartThatIsHeldOutAreNotThere) {
    VocabularyText text = random_text(9, 60, 6);
    const GroupedWindows options{TokenCode::words, WindowLengths::fixed, 3, 2, 0};
    const Index before = grouped_windows(text, options).num_sequences();
    text.documents.back().words.clear();
    EXPECT_EQ(grouped_windows(text, options).num_sequences(), before);
    text.documents.front().words.clear();
    EXPECT_LT(grouped_windows(text, options).num_sequences(), before);
}

TEST(GroupedWindows, RefuseATextOfFewWords) {
    EXPECT_REFUSED(
        "text: got 4 words",
        grouped_windows(random_text(3, 20, 1), {TokenCode::words, WindowLengths::fixed, 8, 2, 0}));
}

}  // namespace
}  // namespace attest
