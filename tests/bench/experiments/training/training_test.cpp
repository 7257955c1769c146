#include "bench/experiments/entries.hpp"
#include "bench/experiments/training/training_cases.hpp"
#include "bench/experiments/training/training_report.hpp"
#include "core/base/interrupt.hpp"
#include "record/summary.hpp"
#include "tests/support/case_row.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <set>

namespace attest::test {
namespace {

constexpr TrainingSetting kSmall{2, 64, 0, 0};

std::shared_ptr<TrainingProblems> problems() {
    return std::make_shared<TrainingProblems>(training_problem);
}

TEST(TrainingCases, HeadsReachWhatAlgorithmOneReturns) {
    const Row trained = row_of(training_case(kSmall, {"heads", 4, 0.01, 32, 6400}, problems()));
    const Row solved = row_of(algorithm_1_case(kSmall, 1, problems()));

    EXPECT_LE(trained.metrics.at("held_out_relative").value, 1e-20);
    EXPECT_LE(solved.metrics.at("held_out_relative").value, 1e-20);
    EXPECT_NE(solved.metrics.at("held_out_relative").value,
              solved.metrics.at("train_relative").value)
        << "rounding of other sequences";
    EXPECT_EQ(trained.metrics.at("updates").value, 6400.0);
    EXPECT_EQ(trained.metrics.at("diverged").value, 0.0);
    EXPECT_EQ(trained.metrics.at("loss_006400").value,
              trained.metrics.at("held_out_relative").value);
    EXPECT_GT(trained.metrics.at("loss_000004").value, 1e-6);
}

TEST(TrainingCases, ADivergedTrainingSaysSoAndKeepsItsCurve) {
    const Row row = row_of(training_case(kSmall, {"layers", 4, 1e30, 32, 50}, problems()));

    EXPECT_EQ(row.metrics.at("diverged").value, 1.0);
    EXPECT_LT(row.metrics.at("updates").value, 50.0);
    EXPECT_FALSE(row.metrics.contains("held_out_relative"));
    EXPECT_TRUE(row.metrics.contains("loss_000000"));
    EXPECT_EQ(row.message.rfind("diverged: ", 0), 0U) << row.message;
}

TEST(TrainingCases, AnInterruptedTrainingIsNoResult) {
    install_interrupt_handlers();
    std::raise(SIGINT);
    EXPECT_THROW((void)training_case(kSmall, {"heads", 1, 0.01, 32, 10}, problems()).run(),
                 Interrupted);
    clear_interrupt();
}

TEST(TrainingCases, LearnersOfOneSettingMeetTheSameData) {
    EXPECT_EQ(digest(training_problem(kSmall).training),
              digest(training_problem({2, 64, 0, 0}).training));
    EXPECT_NE(digest(training_problem(kSmall).training),
              digest(training_problem({2, 64, 0, 1}).training));
}

TEST(TrainingCases, AlgorithmOneGetsAsFewSequencesAsDetermineTheCoefficients) {
    EXPECT_EQ(algorithm_1_sequences({4, 256, 0, 0}), (std::vector<Index>{1, 256}));
    EXPECT_EQ(algorithm_1_sequences({8, 256, 0, 0}), (std::vector<Index>{6, 256}));
    EXPECT_EQ(algorithm_1_sequences({16, 2048, 0, 0}), (std::vector<Index>{44}));
}

TEST(TrainingReport, CurveIsTheGeometricMeanWithItsStandardError) {
    std::vector<Row> rows;
    for (const double loss : {1e-4, 1e-2}) {
        Row row;
        row.key = training_case(kSmall, {"heads", 4, 0.01, 32, 10}, problems()).key;
        row.key.repetition = static_cast<Index>(rows.size());
        row.metrics = {{"loss_000000", {1.0}}, {"loss_000010", {loss}}};
        rows.push_back(row);
    }

    const Panel panel = training_panel(rows, 2, TrainingAxis::epochs);

    ASSERT_EQ(panel.series.size(), 1U);
    EXPECT_EQ(panel.series[0].name, "4 heads");
    const Point last = panel.series[0].points.back();
    // log10: −4 and −2, mean −3, standard error √2/√2 = 1. Ten updates of 32 of 64 sequences.
    EXPECT_EQ(last.x, 5.0);
    EXPECT_NEAR(last.y / 1e-3, 1.0, 64 * 0x1p-52);
    EXPECT_NEAR(last.low / 1e-4, 1.0, 64 * 0x1p-52);
    EXPECT_NEAR(last.high / 1e-2, 1.0, 64 * 0x1p-52);
    EXPECT_EQ(training_panel(rows, 2, TrainingAxis::updates).series[0].points.size(), 1U)
        << "a logarithmic axis has no place for update 0";
}

TEST(TrainingReport, TablesCountTheTrainingsThatDiverged) {
    std::vector<Row> rows{row_of(training_case(kSmall, {"layers", 4, 1e30, 32, 50}, problems())),
                          row_of(algorithm_1_case(kSmall, 64, problems()))};

    const std::string table = to_csv(training_table(rows));
    const std::string seeds = to_csv(seeds_table(rows));

    EXPECT_SAYS(table, "2,4 layers,1e+30,32,50,,1,1,,,,,");
    EXPECT_SAYS(seeds, "diverged");
}

TEST(Fig1, EveryLearnerHasFiveSeedsInTheQuickProfile) {
    const Experiment experiment = fig1().make(Profile::quick, 0);
    std::map<std::string, std::set<Index>> seeds;
    for (const Case& one : experiment.cases) {
        seeds[to_string(one.key.parameters) + one.key.learner +
              to_string(one.key.learner_parameters)]
            .insert(one.key.repetition);
    }
    EXPECT_EQ(seeds.size() * 5, experiment.cases.size());
    EXPECT_GE(seeds.size(), 2U) << "Algorithm 1 and a trained layer at least";
    for (const auto& [learner, repetitions] : seeds) {
        EXPECT_EQ(repetitions, (std::set<Index>{0, 1, 2, 3, 4})) << learner;
    }
}

TEST(Fig3, LayersAndAlgorithmOneMeetTheDataOfFig1) {
    std::set<std::string> of_fig1;
    for (const Case& one : fig1().make(Profile::quick, 0).cases) {
        of_fig1.insert(to_string(one.key.parameters));
    }
    const Experiment of_fig3 = fig3().make(Profile::quick, 0);
    ASSERT_FALSE(of_fig3.cases.empty());
    for (const Case& one : of_fig3.cases) {
        EXPECT_TRUE(of_fig1.contains(to_string(one.key.parameters))) << describe(one.key);
    }
}

TEST(TrainingSpeed, BothOfOurFormsAreTimedWhileTheyLearnTheSame) {
    std::map<std::string, Metrics> measured;
    for (const Case& one : training_speed().make(Profile::quick, 0).cases) {
        if (one.key.repetition == 0 &&
            (one.key.learner == "moments" || one.key.learner == "residuals")) {
            measured[one.key.learner] = one.run().metrics;
        }
    }

    ASSERT_EQ(measured.size(), 2U);
    EXPECT_EQ(measured["moments"].at("error_before").value,
              measured["residuals"].at("error_before").value);
    for (const auto& [contender, metrics] : measured) {
        EXPECT_LT(metrics.at("error_after").value, 1e-9 * metrics.at("error_before").value)
            << contender;
        EXPECT_GT(metrics.at("cpu_seconds").value, 0.0) << contender;
    }
}

}  // namespace
}  // namespace attest::test
