#include "bench/experiments/text/learners.hpp"

#include "bench/experiments/sketch/sketches.hpp"
#include "bench/experiments/text/ngrams.hpp"
#include "core/moments/moment_sums.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace attest {

namespace {

/// A language of three documents: "the NOUN VERB .", twelve nouns, each with its verb.
class TextLearnersTest : public testing::Test {
protected:
    TextLearnersTest() {
        Draws draws{Stream(1)};
        for (const char* name : {"first", "second", "third"}) {
            std::ofstream out(folder_.file(name));
            for (int i = 0; i < 400; ++i) {
                const char letter = static_cast<char>('a' + draws.below(12));
                out << "the noun" << letter << " verb" << letter << " . ";
            }
        }
        setting_.path = folder_.path();
        setting_.d = 3;
        problem_ = learning_problem(setting_);
    }

    [[nodiscard]] double accuracy(const TextLearned& learned) const {
        return score(learned.test, problem_.test, problem_.task).accuracy;
    }

    test::TemporaryFolder folder_;
    LearningSetting setting_;
    LearningProblem problem_;
};

TEST_F(TextLearnersTest, TablesKnowWhatTheLastWordDecides) {
    // Three of four next words are certain, a noun is one of twelve; the commonest word is one of
    // four. Six standard deviations of a binomial law at 1600 windows are 0.065.
    EXPECT_NEAR(accuracy(learn_bigram(problem_)), 0.75 + 0.25 / 12.0, 0.065);
    EXPECT_NEAR(accuracy(learn_trigram(problem_)), 0.75 + 0.25 / 12.0, 0.065);
    EXPECT_LT(accuracy(learn_mean(problem_)), 0.32);
}

TEST_F(TextLearnersTest, LeastSquaresIsTheFloorOfEveryLayersTrainingRisk) {
    const double floor = learn_least_squares(problem_).train_risk;
    EXPECT_LE(floor, learn_ridge(problem_).train_risk + 0x1p-30);
    const DescentEffort effort{400, 400, 0.01};
    for (const Index heads : {1, 6}) {
        const TextLearned learned = learn_heads(problem_, setting_, heads, effort);
        EXPECT_GE(learned.train_risk, floor - 0x1p-30);
        EXPECT_LT(learned.train_risk, 1.0);
    }
    EXPECT_LT(learn_softmax(problem_, setting_, 2, effort).train_risk, 1.0);
}

TEST_F(TextLearnersTest, RiskFromMomentsIsThatOfTheOutputs) {
    const TextLearned learned = learn_least_squares(problem_);
    const Matrix P = scaled_ridge(problem_.train.moments, 0.0);
    const double from_outputs = score(learned.test, problem_.test, problem_.task).risk;
    // Sums of 18 by 18 products of size up to |P|² λ_max, which cancel: 30·18·ε of their size.
    const Moments& test = problem_.test.moments;
    const double size = P.cwiseAbs().cwiseProduct(test.Lambda.cwiseAbs() * P.cwiseAbs()).sum();
    EXPECT_NEAR(relative_risk(P, test),
                from_outputs,
                30.0 * 18.0 * 0x1p-52 * (1.0 + size / test.label_power));
}

/// What a learner chose, and its outputs.
struct Learned {
    std::string name;
    TextLearned learned;
};

std::vector<Learned> learn_all(const LearningProblem& problem, const LearningSetting& setting) {
    const DescentEffort effort{200, 200, 0.01};
    return {{"mean", learn_mean(problem)},
            {"bigram", learn_bigram(problem)},
            {"trigram", learn_trigram(problem)},
            {"linear_ridge", learn_linear(problem)},
            {"least_squares", learn_least_squares(problem)},
            {"ridge", learn_ridge(problem)},
            {"heads", learn_heads(problem, setting, 2, effort)},
            {"softmax", learn_softmax(problem, setting, 2, effort)}};
}

/// The names of those whose outputs on the test inputs are others.
std::vector<std::string> changed(const std::vector<Learned>& before,
                                 const std::vector<Learned>& after) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < before.size(); ++k) {
        if (before[k].learned.test != after[k].learned.test) {
            names.push_back(before[k].name);
        }
    }
    return names;
}

/// Labels of other windows, in a part.
void move_labels(LearningPart& part) {
    part.data.y = part.data.y.rowwise().reverse().eval();
    part.moments = structured_moments(DatasetSource(part.data), {});
    std::vector<Trigram> moved = part.trigrams;
    for (std::size_t i = 0; i < moved.size(); ++i) {
        moved[i].next = part.trigrams[moved.size() - 1 - i].next;
    }
    part.trigrams = std::move(moved);
}

TEST_F(TextLearnersTest, NoLearnerSeesTheLabelsOfTheTestPart) {
    const std::vector<Learned> before = learn_all(problem_, setting_);
    move_labels(problem_.test);
    EXPECT_EQ(changed(before, learn_all(problem_, setting_)), std::vector<std::string>{});
}

TEST_F(TextLearnersTest, APlantedLeakIsNoticed) {
    // The test part stands in for the validation part, so that its labels decide: whoever chooses
    // anything then gives other outputs when they change.
    problem_.validation = problem_.test;
    const std::vector<Learned> before = learn_all(problem_, setting_);
    move_labels(problem_.test);
    problem_.validation = problem_.test;
    const std::vector<std::string> noticed = changed(before, learn_all(problem_, setting_));
    for (const char* chooser : {"bigram", "trigram", "linear_ridge", "ridge"}) {
        EXPECT_NE(std::find(noticed.begin(), noticed.end(), chooser), noticed.end()) << chooser;
    }
    // And test windows among the training windows change what all of them learn.
    problem_.train = problem_.test;
    EXPECT_EQ(changed(before, learn_all(problem_, setting_)).size(), before.size());
}

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
    EXPECT_REFUSED("a window of one word", trigrams_of(text, short_window));
}

}  // namespace

}  // namespace attest
