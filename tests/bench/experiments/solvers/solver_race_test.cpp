#include "bench/experiments/solvers/solver_race.hpp"

#include "bench/experiments/entries.hpp"
#include "core/data/dataset_file.hpp"
#include "core/solve/solvers.hpp"
#include "tests/support/case_row.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace attest {

namespace {

TEST(SolverRace, HasNoCaseTwice) {
    for (const Profile profile : {Profile::quick, Profile::full}) {
        const Experiment experiment = solver_race().make(profile, 1);
        std::set<std::string> keys;
        for (const Case& one : experiment.cases) {
            keys.insert(identity(one.key));
        }
        EXPECT_EQ(keys.size(), experiment.cases.size());
    }
}

TEST(SolverRace, LetsEveryContenderMeetTheSameData) {
    std::set<std::string> inputs;
    for (const Case& one : solver_race().make(Profile::quick, 1).cases) {
        CaseKey input = one.key;
        input.learner = "";
        input.repetition = 0;
        inputs.insert(identity(input));
    }
    EXPECT_EQ(inputs.size(), 2U) << "two sizes";
}

TEST(RaceData, IsAFileOfThatSizeThatGoesAway) {
    std::string file;
    {
        const RaceData data({2, 4.0}, 1);
        file = data.file();
        EXPECT_EQ(read_dataset(file).num_examples(), 24);
    }
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(RaceContenders, LeaveOutWhatIsHopelessAtASize) {
    const std::vector<std::string> small = race_contenders({4, 4.0});
    const std::vector<std::string> large = race_contenders({16, 4.0});
    const auto holds = [](const std::vector<std::string>& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    EXPECT_EQ(small.front(), "auto");
    EXPECT_TRUE(holds(small, "numpy_lstsq"));
    EXPECT_FALSE(holds(large, "numpy_lstsq"));
    EXPECT_FALSE(holds(large, "literal")) << "d^4 unknowns";
}

TEST(TimeSolver, MeasuresTheSolverThatWasAsked) {
    const RaceData data({3, 4.0}, 1);

    const SolverTiming timing = time_solver(data.file(), "tsqr", {1, 2});

    EXPECT_EQ(timing.note, "tsqr");
    EXPECT_GT(timing.seconds, 0.0);
    EXPECT_LT(timing.relative_error, 30.0 * 18.0 * 0x1p-53 * 100.0) << "psi roundings at cond 100";
}

TEST(TimingTable, CountsTheFastestAsOne) {
    const Table table = timing_table(
        {{"slow", 4.0, 2.0, 0.0, 1e6, "a", "x"}, {"fast", 1.0, 0.5, 0.0, 1e6, "b", ""}});

    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(std::get<std::string>(table.rows[0].front().value), "fast");
    EXPECT_DOUBLE_EQ(std::get<double>(table.rows[0].back().value), 1.0);
    EXPECT_DOUBLE_EQ(std::get<double>(table.rows[1].back().value), 4.0);
}

/// Rows of the cases whose condition is aimed at one of these.
std::vector<Row> rows_at(const std::set<double>& conditions) {
    std::vector<Row> rows;
    for (const Case& one : solver_accuracy().make(Profile::quick, 0).cases) {
        if (conditions.contains(std::get<double>(one.key.parameters.at("condition")))) {
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

    EXPECT_SAYS(solver_accuracy().text(rows), "1e-03 !");
}

}  // namespace

}  // namespace attest
