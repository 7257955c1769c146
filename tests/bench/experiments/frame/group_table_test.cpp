#include "bench/experiments/frame/group_table.hpp"

#include "bench/experiments/frame/last_problem.hpp"
#include "core/base/error.hpp"
#include "record/source.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

namespace attest {

namespace {

Row row_of(const std::string& learner, std::int64_t d, double error) {
    Row row;
    row.key.learner = learner;
    row.key.parameters = {{"d", d}};
    row.metrics["error"] = {error};
    return row;
}

const std::vector<Row> kRows =
    numbered({row_of("a", 2, 1.0), row_of("b", 2, 7.0), row_of("a", 2, 3.0), row_of("a", 4, 5.0)});

TEST(GroupTable, HoldsAStatisticOfEveryGroupWithTheRowsItComesFrom) {
    const Table table = group_table(
        kRows,
        {{"d", "d"}},
        {{"error", {}, "", Statistic::mean}, {"error", {}, "a", Statistic::median, "a"}});

    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(table.columns[1].header, "error");
    EXPECT_EQ(std::get<double>(table.rows[0][1].value), 11.0 / 3.0);
    EXPECT_EQ(table.rows[0][1].source->rows, (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(table.rows[0][0].source->rows, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(GroupTable, KeepsAColumnToItsLearner) {
    const Table table = group_table(kRows,
                                    {"d"},
                                    {{"error", {}, "a", Statistic::median, "a"},
                                     {"error", {}, "b", Statistic::median, "b"},
                                     {"error", {}, "c", Statistic::median, "c"}});

    ASSERT_EQ(table.columns.size(), 3U) << "nothing of c: no column";
    EXPECT_EQ(std::get<double>(table.rows[0][1].value), 2.0);
    EXPECT_EQ(table.rows[0][1].source->rows, (std::vector<std::size_t>{0, 2}));
    EXPECT_EQ(std::get<double>(table.rows[0][2].value), 7.0);
    EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows[1][2].value));
}

/// Logarithms up to log 768, rounded, and the normal equations of a line through points a factor 2
/// apart: (6.7/0.7)² ≈ 92 roundings, a few times.
constexpr double kRounding = 8.0 * 92.0 * 0x1p-53;

TEST(PowerLaw, ThroughThreeTimesTheSquareIsFoundAgain) {
    const PowerLaw law = fit_power_law({2.0, 4.0, 8.0, 16.0}, {12.0, 48.0, 192.0, 768.0});

    EXPECT_LT(std::abs(law.exponent - 2.0), kRounding);
    EXPECT_LT(std::abs(law.log_constant - std::log(3.0)), kRounding);
    EXPECT_LT(std::abs(law.at(5.0) / 75.0 - 1.0), 4.0 * kRounding);
    EXPECT_EQ(law.first, 2.0);
}

TEST(PowerLaw, IsTheLineOfLeastSquaresInLogarithms) {
    // Logarithms 0, 1, 2 → 0, 3, 0: slope 0 and level 1.
    const double e = std::exp(1.0);
    const PowerLaw law = fit_power_law({1.0, e, e * e}, {1.0, e * e * e, 1.0});

    EXPECT_LT(std::abs(law.exponent), kRounding);
    EXPECT_LT(std::abs(law.log_constant - 1.0), kRounding);
}

TEST(PowerLaw, NeedsTwoPoints) {
    EXPECT_THROW((void)fit_power_law({1.0}, {1.0}), BrokenInvariant);
}

TEST(LastProblem, DrawsAgainOnlyForAnotherSetting) {
    int draws = 0;
    LastProblem<int, int> problems([&](int setting) {
        ++draws;
        return 10 * setting;
    });

    const auto first = problems.of(1);

    EXPECT_EQ(*first, 10);
    EXPECT_EQ(problems.of(1), first);
    EXPECT_EQ(draws, 1);
    EXPECT_EQ(*problems.of(2), 20);
    EXPECT_EQ(*first, 10) << "who holds a problem keeps it";
    EXPECT_NE(problems.of(1), first) << "only the last one is kept";
    EXPECT_EQ(draws, 3);
}

TEST(LastProblem, IsDrawnOnceForThreadsThatAskTogether) {
    std::atomic<int> draws = 0;
    LastProblem<int, int> problems([&](int setting) {
        ++draws;
        return setting;
    });
    std::vector<std::thread> threads;
    threads.reserve(8);
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] { EXPECT_EQ(*problems.of(7), 7); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }

    EXPECT_EQ(draws, 1);
}

}  // namespace

}  // namespace attest
