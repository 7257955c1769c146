#include "bench/experiments/entries.hpp"
#include "tests/support/case_row.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace attest {
namespace {

/// Rows of the cases whose condition is aimed at one of these.
std::vector<Row> rows_at(const std::set<double>& conditions) {
    std::vector<Row> rows;
    for (const Case& one : solver_accuracy().make(Profile::quick, 0).cases) {
        if (conditions.count(std::get<double>(one.key.parameters.at("condition"))) > 0) {
            rows.push_back(test::row_of(one));
        }
    }
    return rows;
}

TEST(SolverAccuracy, EveryAnswerLiesWithinItsBoundAndTheOthersSayWhyTheyRefuse) {
    std::set<std::string> answered;
    std::set<std::string> refused;
    for (const Row& row : rows_at({1e1, 1e6, 1e12})) {
        if (row.status == RowStatus::refused) {
            EXPECT_FALSE(row.message.empty()) << describe(row.key);
            refused.insert(row.key.learner);
            continue;
        }
        const Metric& error = row.metrics.at("relative_error");
        EXPECT_LE(error.value, error.bound.value()) << describe(row.key);
        answered.insert(row.key.learner);
    }
    EXPECT_EQ(answered.count("gram32"), 1U);
    EXPECT_EQ(refused.count("gram32"), 1U);
    EXPECT_EQ(refused.count("normal"), 1U);
}

TEST(SolverAccuracy, TheTableMarksWhatLiesOutsideItsBound) {
    std::vector<Row> rows = rows_at({1e1});
    EXPECT_EQ(solver_accuracy().text(rows).find('!'), std::string::npos);

    const auto answer = std::find_if(
        rows.begin(), rows.end(), [](const Row& row) { return row.status == RowStatus::ok; });
    answer->metrics["relative_error"] = {1e-3, 1e-4};

    EXPECT_NE(solver_accuracy().text(rows).find("1e-03 !"), std::string::npos);
}

}  // namespace
}  // namespace attest
