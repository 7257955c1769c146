#include "bench/sweep/sweep.hpp"

#include "core/base/error.hpp"
#include "core/questions/learn.hpp"
#include "tasks/registry.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

std::string grid(const std::string& learners) {
    return "name = 'n'\nseeds = 2\n[data]\ntask = 'random-linear-attention'\n"
           "sequences = [6, '2 psi']\nheld_out = 20\nd = [2, 3]\n" +
           learners;
}

Experiment experiment_of(const std::string& text, std::uint64_t seed = 0) {
    return sweep_entry(sweep_from_text(text, "f.toml")).make(Profile::full, seed);
}

TEST(Sweep, HasACaseForEveryCombination) {
    const Experiment experiment =
        experiment_of(grid("[learn]\nsolver = ['svd', 'tsqr']\nridge = [0, 1, 2]\n[certify]\n"));
    EXPECT_EQ(experiment.cases.size(), 2U * 2U * 2U * (2U * 3U + 1U));
}

TEST(Sweep, ZippedAxesGoTogether) {
    const std::string data =
        "name = 'n'\n[data]\ntask = 'associative-memory'\nd = [2, 3]\n"
        "num_gaussian = [0, 4]\nsequences = [60, 64]\n";
    const auto settings = [&](const std::string& zip) {
        std::vector<std::string> found;
        for (const Case& one : experiment_of(data + zip + "[certify]\n").cases) {
            const ParameterMap& of = one.key.parameters;
            found.push_back(to_string(of.at("d")) + " " + to_string(of.at("num_gaussian")) + " " +
                            to_string(of.at("sequences")));
        }
        return found;
    };
    EXPECT_EQ(settings("").size(), 8U);
    EXPECT_EQ(settings("zip = ['num_gaussian', 'sequences']\n"),
              (std::vector<std::string>{"2 0 60", "2 4 64", "3 0 60", "3 4 64"}));
    EXPECT_EQ(settings("zip = ['d', 'num_gaussian', 'sequences']\n"),
              (std::vector<std::string>{"2 0 60", "3 4 64"}));
}

TEST(Sweep, DrawsFromTheSeedsOfTheFileAfterItsOwn) {
    const Experiment experiment = experiment_of(grid("[learn]\n"), 5);
    EXPECT_EQ(experiment.cases[0].key.seed, 5U);
    EXPECT_EQ(experiment.cases[1].key.seed, 6U);
}

TEST(Sweep, MeasuresWhatTheCommandsWouldSay) {
    const Experiment experiment = experiment_of(grid("[learn]\nsolver = 'svd'\n[certify]\n"));
    const Case& learn_2psi = experiment.cases[4];  // after two seeds of N = 6
    ASSERT_EQ(std::get<std::int64_t>(learn_2psi.key.parameters.at("num_sequences")), 12);
    const Metrics learned = learn_2psi.run().metrics;
    const auto task = make_task("random-linear-attention", {{"d", "2"}}, std::uint64_t{0});
    const Dataset data = materialise(*task, 0, 12, 1);
    const DatasetSource source(data);
    const Learned expected = learn(FactoredSource(source), {"svd", {}, {}, 0}, {});
    EXPECT_EQ(learned.at("train_relative").value, expected.risk.relative);
    EXPECT_EQ(learned.at("unique").value, 1.0);
    EXPECT_EQ(learned.at("psi").value, 6.0);
    const Metrics certified = experiment.cases[5].run().metrics;
    EXPECT_EQ(certified.at("rank").exact, "6");
    EXPECT_EQ(certified.at("determined").value, 1.0);
}

TEST(Sweep, HeldOutSequencesAreTheSameWhateverTheNumberOfTheOthers) {
    // mse over relative error is the labels' own mean square: three roundings on either side.
    const Experiment experiment = experiment_of(grid("[learn]\n"));
    const auto power = [&](std::size_t number) {
        const Metrics metrics = experiment.cases[number].run().metrics;
        return metrics.at("held_out_mse").value / metrics.at("held_out_relative").value;
    };
    EXPECT_DOUBLE_EQ(power(0), power(2));
    EXPECT_NE(power(0), power(1)) << "another seed has others";
}

TEST(Sweep, HeldOutSequencesAreNotThoseOfTheTraining) {
    // With noise of variance 1 least squares leaves about 1 − ψ/N = 0.7 of it on its own examples,
    // and 1 + ψ/N = 1.3 on as many others.
    const Experiment experiment = experiment_of(
        "name = 'n'\n[data]\ntask = 'random-linear-attention'\nsequences = [20]\nheld_out = 20\n"
        "d = [2]\nnoise = [1]\n[learn]\nsolver = 'svd'\n");
    const Metrics metrics = experiment.cases[0].run().metrics;
    EXPECT_GT(metrics.at("held_out_relative").value, 1.2 * metrics.at("train_relative").value);
}

TEST(Sweep, ARefusalIsARowThatSaysWhy) {
    // d = 3, N = 6 < ψ = 18.
    const CaseOutcome refused = experiment_of(grid("[learn]\nsolver = 'kron'\n")).cases[4].run();
    EXPECT_EQ(refused.status, RowStatus::refused);
    EXPECT_SAYS(refused.message, "N = 6 < psi = 18");
}

TEST(Sweep, RefusesWrongWordsBeforeAnythingIsDrawn) {
    for (const std::string learners : {"[learn]\nsolver = 'magic'\n",
                                       "[learn]\nridge = -1\n",
                                       "[learn]\nlayer = 'decay=2'\n",
                                       "[learn]\nheads = 0\n",
                                       "[learn]\nnorm = 'x'\n",
                                       "[certify]\nlevel = 'x'\n"}) {
        EXPECT_THROW((void)experiment_of(grid(learners)), Error) << learners;
    }
    EXPECT_THROW((void)experiment_of("name = 'n'\n[data]\ntask = 'x'\nsequences = 3\n[learn]\n"),
                 UnknownName);
}

TEST(Sweep, DrawsACurveForEachCombinationAndNamesIt) {
    const std::string text = grid("[learn]\n[figure]\ny = 'held_out_relative'\nby = 'd'\n");
    const ExperimentEntry entry = sweep_entry(sweep_from_text(text, "f.toml"));
    std::vector<Row> rows;
    for (const Case& one : entry.make(Profile::full, 0).cases) {
        Row row;
        row.key = one.key;
        row.metrics = one.run().metrics;
        rows.push_back(row);
    }

    const Derived derived = derive(entry, rows);

    ASSERT_EQ(derived.tables.size(), 1U);
    EXPECT_EQ(derived.tables[0].table.rows.size(), 4U) << "d and sequences";
    ASSERT_EQ(derived.figures.size(), 1U);
    const std::vector<Series>& curves = derived.figures[0].figure.panels.at(0).series;
    ASSERT_EQ(curves.size(), 2U);
    EXPECT_EQ(curves[0].name, "d = 2");
    EXPECT_EQ(curves[1].name, "d = 3");
    EXPECT_EQ(curves[0].points.size(), 2U);
    EXPECT_EQ(curves[0].points[1].x, 12.0);
}

TEST(Sweep, IsFoundAgainInTheConfigurationOfItsRows) {
    const std::string text = grid("[learn]\n");
    const Experiment experiment = experiment_of(text);
    Configuration configuration;
    configuration.id = experiment.id;
    EXPECT_FALSE(sweep_behind(configuration).has_value());
    configuration.parameters = experiment.parameters;
    ASSERT_TRUE(sweep_behind(configuration).has_value());
    EXPECT_EQ(sweep_behind(configuration)->id, "n");
}

}  // namespace
}  // namespace attest
