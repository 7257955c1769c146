#include "bench/experiments/entries.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

Row first_row(const Experiment& experiment,
              const std::string& learner,
              const ParameterMap& wanted,
              Index repetition) {
    for (const Case& one : experiment.cases) {
        bool same = one.key.learner == learner && one.key.repetition == repetition;
        for (const auto& [name, value] : wanted) {
            const ParameterMap& from =
                one.key.parameters.contains(name) ? one.key.parameters : one.key.learner_parameters;
            same = same && from.contains(name) && from.at(name) == value;
        }
        if (same) {
            Row row;
            row.key = one.key;
            row.metrics = one.run().metrics;
            return row;
        }
    }
    ADD_FAILURE() << "no such case";
    return {};
}

TEST(DepthTransition, HasItsJumpWhereTheRankOnTheDataReachesTheDimension) {
    const Experiment experiment = depth_transition().make(Profile::quick, 0);
    const auto run = [&](std::int64_t examples) {
        return first_row(experiment,
                         "near",
                         {{"layers", std::int64_t{2}},
                          {"a", std::int64_t{1}},
                          {"num_examples", examples}},
                         0)
            .metrics;
    };
    const Metrics few = run(4);
    const Metrics enough = run(6);
    EXPECT_EQ(few.at("dimension").value, 10.0);
    EXPECT_EQ(few.at("rank").value, 8.0);
    EXPECT_EQ(few.at("determined").value, 0.0);
    EXPECT_EQ(few.at("fitted").value, 1.0);
    EXPECT_GT(few.at("fresh_relative").value, 1e-6);
    EXPECT_EQ(enough.at("rank").value, 10.0);
    EXPECT_EQ(enough.at("determined").value, 1.0);
    EXPECT_EQ(enough.at("same_function").value, 1.0);
}

TEST(DepthTransition, CountsAStartThatIsStuckAsNoFit) {
    Row stuck = first_row(
        depth_transition().make(Profile::quick, 0),
        "near",
        {{"layers", std::int64_t{2}}, {"a", std::int64_t{1}}, {"num_examples", std::int64_t{6}}},
        0);
    Row far = stuck;
    far.key.learner = "far";
    far.metrics["fitted"].value = far.metrics["same_function"].value = 0.0;
    far.metrics["fresh_relative"].value = 77.0;
    const Derived derived = derive(depth_transition(), {stuck, far});
    const std::vector<Cell>& line = derived.tables.front().table.rows.front();
    EXPECT_EQ(full_text(line[8]), "1") << "near: one fit";
    EXPECT_EQ(full_text(line[10]), "0") << "far: none";
    EXPECT_EQ(full_text(line[11]), "") << "and no error of a fit";
}

TEST(Memorisation, OfNumbersIsBelowTheDimensionAndGrowsWithHeads) {
    const Experiment experiment = memorisation().make(Profile::quick, 0);
    const auto run = [&](std::int64_t heads) {
        return first_row(experiment,
                         "stack",
                         {{"labels", std::string("numbers")},
                          {"kind", std::string("linear, 1 layer")},
                          {"heads", heads}},
                         0)
            .metrics;
    };
    const Metrics one = run(1);
    const Metrics four = run(4);
    EXPECT_EQ(one.at("parameters").value, four.at("parameters").value);
    EXPECT_EQ(one.at("dimension").value, 31.0);
    EXPECT_EQ(four.at("dimension").value, 52.0);
    for (const Metrics& each : {one, four}) {
        EXPECT_LE(each.at("per_dimension").value, 1.0);
        EXPECT_GT(each.at("per_dimension").value, 0.8);
    }
    EXPECT_GT(four.at("labels").value, 1.3 * one.at("labels").value);
}

}  // namespace
}  // namespace attest
