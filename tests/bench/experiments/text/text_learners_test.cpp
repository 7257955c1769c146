#include "bench/experiments/text/text_learners.hpp"

#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

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

TEST_F(TextLearnersTest, ValidationAndNotTestDecides) {
    // Other labels on the test part leave every choice and every output as it was.
    const TextLearned before = learn_ridge(problem_);
    const Metric chosen = before.chosen.at("ridge");
    problem_.test.data.y.setZero();
    problem_.test.moments.cross.setZero();
    for (Trigram& window : problem_.test.trigrams) {
        window.next = 0;
    }
    EXPECT_EQ(learn_ridge(problem_).chosen.at("ridge").value, chosen.value);
    EXPECT_EQ(learn_ridge(problem_).test, before.test);
    EXPECT_EQ(learn_trigram(problem_).chosen.at("trigram_weight").value,
              learn_trigram(learning_problem(setting_)).chosen.at("trigram_weight").value);
    // Other labels on the validation part do not.
    problem_.validation.moments.cross *= -1.0;
    EXPECT_NE(learn_ridge(problem_).chosen.at("ridge").value, chosen.value);
}

}  // namespace
}  // namespace attest
