#include "bench/experiments/memory/fig2.hpp"

#include "bench/experiments/catalogue.hpp"
#include "bench/experiments/entries.hpp"
#include "bench/experiments/memory/fig2b.hpp"
#include "core/base/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace attest {
namespace {

TEST(Experiments, HaveDistinctIdsAndCases) {
    std::set<std::string> ids;
    for (const ExperimentEntry& entry : experiments()) {
        EXPECT_TRUE(ids.insert(entry.id).second);
        std::set<std::string> keys;
        for (const Case& one : entry.make(Profile::quick, 0).cases) {
            EXPECT_TRUE(keys.insert(identity(one.key)).second) << describe(one.key);
        }
        EXPECT_FALSE(keys.empty()) << entry.id << " has no case";
        EXPECT_EQ(&entry_named(experiments(), entry.id), &entry);
    }
    EXPECT_THROW((void)entry_named(experiments(), "fig99"), UnknownName);
}

TEST(Fig2, UnitaryDataLackTwoDTimesDSquaredMinusOneOverThreeDimensions) {
    // Proved over Q at d = 2; the experiment proves d = 3 and 4 as well.
    const std::vector<Case> cases = fig2_exact_rank_cases(0);

    const Metrics unitary = cases[0].run().metrics;
    const Metrics complete = cases[3].run().metrics;

    EXPECT_EQ(unitary.at("nullity").exact, "4");
    EXPECT_EQ(unitary.at("proved").exact, "1");
    EXPECT_EQ(complete.at("nullity").exact, "0");
    EXPECT_EQ(complete.at("num_gaussian").exact, "4");
    EXPECT_EQ(complete.at("proved").exact, "1");
}

TEST(Fig2, EveryGaussianSequenceRaisesTheNumericalRankByOne) {
    for (const Index count : {0, 1, 3, 4, 9}) {
        const Fig2Setting setting{2, 300, count, "paper", 0.1, 5, 0};
        EXPECT_EQ(fig2_problem(setting).spectrum.nullity(), std::max<Index>(0, 4 - count));
    }
}

TEST(Fig2, TheThreeKindsOfLabelsDiffer) {
    const auto problem = fig2_problem({2, 200, 50, "paper", 0.1, 5, 0});

    const Matrix exact = problem.with_labels(Fig2Labels::exact).C;
    const Matrix noisy = problem.with_labels(Fig2Labels::noisy).C;
    const Matrix printed = problem.with_labels(Fig2Labels::printed).C;

    EXPECT_EQ(exact.cols(), problem.truth.cols());
    // By more than two ways to add the same 200 labels up would.
    const double rounding = 30.0 * 200.0 * 0x1p-52 * exact.norm();
    EXPECT_GT((exact - noisy).norm(), rounding);
    EXPECT_GT((exact - printed).norm(), rounding);
}

TEST(Fig2, TheDistanceThatNoisePredictsCountsEveryOutput) {
    // σ √(o·tr Λ⁻¹/N), the trace from the inverse of Λ = RᵀR in place of singular values.
    const Fig2Setting setting{4, 4096, 4096 / 20, "paper", 0.1, 0, 0};
    const auto problem = fig2_problem(setting);
    const auto outputs = static_cast<double>(problem.truth.cols());
    ASSERT_GT(outputs, 1.0);
    ASSERT_EQ(problem.spectrum.nullity(), 0);
    const Matrix& R = problem.factor.R;
    const Matrix Lambda = R.transpose() * R;
    const double trace = Lambda.inverse().trace();

    const Experiment experiment = fig2().make(Profile::quick, 0);
    const auto found =
        std::find_if(experiment.cases.begin(), experiment.cases.end(), [](const Case& one) {
            return one.key.learner == "minimum_norm_noise";
        });
    ASSERT_NE(found, experiment.cases.end());
    const double predicted = found->run().metrics.at("predicted_distance").value;

    const double condition = problem.spectrum.lambda_max / problem.spectrum.lambda_min;
    const double rounding = 30.0 * static_cast<double>(R.cols()) * 0x1p-52 * condition;
    EXPECT_LT(rounding, 0.1) << "the comparison says something: one output for all is far off";
    EXPECT_LT(std::abs(predicted / (0.1 * std::sqrt(outputs * trace / 4096.0)) - 1.0), rounding);
}

TEST(Fig2b, TheTrainingLossBoundsTheDistanceWhereDataIdentify) {
    const Fig2Setting setting{2, 200, 200, "paper", 0.0, 5, 0};
    const auto problems = std::make_shared<Fig2Problems>(fig2_problem);
    std::vector<double> squares_by_loss;
    for (const Index updates : {20, 2000}) {
        const Metrics metrics = memory_training_case(setting, 4, updates, problems).run().metrics;
        const double bound = metrics.at("relative_bound").value;
        EXPECT_LE(metrics.at("relative_distance").value, bound);
        EXPECT_EQ(metrics.at("rank").value, 40.0);
        squares_by_loss.push_back(bound * bound / metrics.at("train_relative").value);
    }
    // sqrt(loss/lambda_min) up to a factor of the data: a dozen roundings each.
    EXPECT_LT(std::abs(squares_by_loss[0] / squares_by_loss[1] - 1.0), 24.0 * 0x1p-52);
}

TEST(Fig2b, WhereTheyDoNotThereIsNoBound) {
    const Fig2Setting setting{2, 200, 0, "paper", 0.0, 5, 0};
    const auto problems = std::make_shared<Fig2Problems>(fig2_problem);
    const Metrics metrics = memory_training_case(setting, 16, 3000, problems).run().metrics;
    EXPECT_EQ(metrics.at("rank").value, 36.0);
    EXPECT_FALSE(metrics.contains("relative_bound"));
    EXPECT_GT(metrics.at("relative_distance").value,
              100.0 * std::sqrt(metrics.at("train_relative").value));
}

}  // namespace
}  // namespace attest
