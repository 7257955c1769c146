#include "bench/experiments/entries.hpp"
#include "bench/experiments/machines/self_fed.hpp"
#include "core/base/bitwise.hpp"
#include "tests/support/case_row.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace attest::test {
namespace {

TEST(Fig4, VariesOneSizeAtATime) {
    const Experiment quick = fig4().make(Profile::quick, 1);
    EXPECT_EQ(quick.cases.size(), (1U + 3 * 2) + 1);
    EXPECT_EQ(fig4().make(Profile::full, 1).cases.size(), (1U + 3 * 4) * 3 + 1);
}

TEST(Fig4, ACaseCertifiesEveryTestTokenAfterItIsAccurate) {
    const Experiment quick = fig4().make(Profile::quick, 1);
    const auto smallest = std::find_if(quick.cases.begin(), quick.cases.end(), [](const Case& one) {
        return one.key.parameters.at("letters") == ParameterValue(std::int64_t{2});
    });
    ASSERT_NE(smallest, quick.cases.end());

    const Row row = row_of(*smallest);

    ASSERT_EQ(row.status, RowStatus::ok);
    EXPECT_LE(row.metrics.at("tokens_99").value, row.metrics.at("tokens_100").value);
    EXPECT_LE(row.metrics.at("tokens_100").value, row.metrics.at("tokens_certified").value);
    EXPECT_LE(row.metrics.at("rank").value, row.metrics.at("tokens_certified").value);
    EXPECT_TRUE(is_zero(row.metrics.at("certified_but_wrong").value));
    EXPECT_SAYS(fig4().text({row}), "letters");
}

TEST(TuringExhaustExperiment, NothingCertifiedIsWrong) {
    const Experiment quick = turing_exhaust().make(Profile::quick, 1);
    const Row row = row_of(quick.cases.front());

    EXPECT_EQ(row.status, RowStatus::ok);
    EXPECT_TRUE(is_zero(row.metrics.at("certified_but_wrong").value));
    EXPECT_LT(row.metrics.at("certified_share").value, 1.0);
    EXPECT_LE(row.metrics.at("certified_share").value, row.metrics.at("exact_share").value);
    EXPECT_SAYS(turing_exhaust().text({row}), "exact_random");
}

const Case& first_of(const Experiment& experiment, const std::string& learner) {
    const auto found = std::find_if(experiment.cases.begin(),
                                    experiment.cases.end(),
                                    [&](const Case& one) { return one.key.learner == learner; });
    EXPECT_NE(found, experiment.cases.end()) << learner;
    return *found;
}

TEST(LearnedMachines, ABusyBeaverIsPrintedByALayerThatSawRandomRuns) {
    const Experiment quick = learned_machines().make(Profile::quick, 1);
    const Row row = row_of(first_of(quick, "exact_active"));

    ASSERT_EQ(row.status, RowStatus::ok);
    EXPECT_EQ(row.key.task, "bb2");
    EXPECT_LT(row.metrics.at("train_runs").value, 1000.0);
    EXPECT_EQ(row.metrics.at("tokens_certified").value, row.metrics.at("tokens").value);
    EXPECT_EQ(row.metrics.at("exact").value, 1.0);
    EXPECT_SAYS(learned_machines().text({row}), "bb2");
}

TEST(FloatMinimisers, AgreeOnCertifiedRunsAndNeedRoundingInTheLongRun) {
    const Experiment quick = float_minimisers().make(Profile::quick, 1);
    const Row exact = row_of(first_of(quick, "exact_basic"));
    const Row random = row_of(first_of(quick, "random"));
    for (const Row& row : {exact, random}) {
        ASSERT_EQ(row.status, RowStatus::ok);
        EXPECT_GT(row.metrics.at("runs_certified").value, 0.0);
        EXPECT_EQ(row.metrics.at("certified_right").value, row.metrics.at("runs_certified").value);
    }
    EXPECT_EQ(exact.metrics.at("runs_certified").value, random.metrics.at("runs_certified").value);
    EXPECT_TRUE(is_zero(random.metrics.at("others_right").value));
}

TEST(SelfFed, StopsAtTheFirstTokenThatRoundsWrongAndKeepsTheLargestDeviation) {
    // d = 1: with P = 0.6 and tokens 1 it prints 0.6, 1.2 and 1.8, off by 0.4, 0.2 and 0.8.
    const Token one = one_hot_token({0});
    const Trace ones{{one}, {one, one, one}};
    const Matrix P = Matrix::Constant(1, 1, 0.6);

    const SelfFed rounded = feed_doubles(P, ones, 1, Feedback::rounded);
    // Fed 0.6 in place of 1 it prints 0.6 (1 + 0.36) 0.6 = 0.4896 next.
    const SelfFed as_printed = feed_doubles(P, ones, 1, Feedback::as_printed);

    EXPECT_EQ(rounded.right, 2);
    EXPECT_EQ(rounded.deviation, 1.0 - 0.6);
    EXPECT_EQ(as_printed.right, 1);
}

TEST(FeatureChoice, TooFewCompressedRowsAreRefused) {
    const Experiment quick = feature_choice().make(Profile::quick, 1);
    const auto smallest = std::find_if(quick.cases.begin(), quick.cases.end(), [](const Case& one) {
        return one.key.learner_parameters.at("rows") == ParameterValue(std::int64_t{12});
    });
    ASSERT_NE(smallest, quick.cases.end());

    const Row row = row_of(*smallest);

    EXPECT_EQ(row.status, RowStatus::refused);
    EXPECT_EQ(row.metrics.count("tokens_certified"), 0U);
}

}  // namespace
}  // namespace attest::test
