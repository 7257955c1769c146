#include "report/changes.hpp"

#include "tests/record/fixture.hpp"
#include "tests/report/sample_results.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace attest::test {
namespace {

using record_test::sample_row;

SettingRows pointers(const std::vector<Row>& rows) {
    SettingRows all;
    for (const Row& row : rows) {
        all.push_back(&row);
    }
    return all;
}

std::string change(const std::vector<Row>& before,
                   const std::vector<Row>& after,
                   double threshold = 0.01) {
    return moved(pointers(before), pointers(after), "distance", threshold);
}

std::vector<Row> one(const Metric& metric) {
    std::vector<Row> rows{sample_row(0)};
    rows[0].metrics["distance"] = metric;
    return rows;
}

TEST(MetricChange, ExactValuesAreComparedByEquality) {
    const Metric third{.value = 1.0 / 3.0, .exact = "1/3"};
    Metric near = third;
    near.exact = "333333333/1000000000";

    EXPECT_EQ(change(one(third), one(third)), "");
    EXPECT_EQ(change(one(third), one(near)), "exact values differ");
}

TEST(MetricChange, BoundedValuesMayDifferByTheSumOfTheirBounds) {
    const auto value = [](double x) { return one({.value = x, .bound = 0.125}); };

    EXPECT_EQ(change(value(1.0), value(1.25)), "");
    EXPECT_EQ(change(value(1.0), value(1.2500001)), "beyond the stated bounds");
}

TEST(MetricChange, WholeNumbersOfOneCaseMustBeEqualWhateverTheThreshold) {
    EXPECT_EQ(change(one({.value = 39.0}), one({.value = 40.0}), 0.5), "whole numbers differ");
}

TEST(MetricChange, OfSuccessesTheRateIsCompared) {
    const auto rate = [](const std::vector<double>& successes) {
        std::vector<Row> rows = repetitions(successes);
        for (Row& row : rows) {
            row.metrics["distance"].bound.reset();
            row.metrics["distance"].unit = "success";
        }
        return rows;
    };

    EXPECT_EQ(change(rate({1.0, 1.0, 0.0}), rate({1.0, 0.0, 0.0})), "");
    EXPECT_EQ(change(rate({1.0, 1.0}), rate({0.0, 0.0})), "changed, with no noise on either side");
    EXPECT_EQ(change(one({.value = 1.0, .unit = "success"}), one({.value = 0.0})),
              "whole numbers differ");
}

TEST(MetricChange, WhatAFailedSearchHoldsIsNoChange) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();

    EXPECT_EQ(
        change(one({.value = 0.25, .bound = kInfinity}), one({.value = 25.0, .bound = kInfinity})),
        "");
    EXPECT_EQ(change(one({.value = 0.25, .bound = kInfinity}), one({.value = 25.0})),
              "changed by 99 %");
}

TEST(MetricChange, ASingleValueMayChangeByTheThreshold) {
    EXPECT_EQ(change(one({.value = 1.5}), one({.value = 1.51}), 0.01), "");
    EXPECT_EQ(change(one({.value = 1.5}), one({.value = 1.6}), 0.01), "changed by 6.25 %");
}

TEST(MetricChange, SeveralValuesMayChangeByFourStandardErrors) {
    // Mean 2.5 and standard error 0.5 on either side: the noise of a difference is 0.5·√2.
    const std::vector<Row> before = repetitions({1.5, 2.5, 3.5, 2.5});

    EXPECT_EQ(change(before, repetitions({2.5, 3.5, 4.5, 3.5})), "");
    EXPECT_EQ(change(before, repetitions({5.75, 6.75, 7.75, 6.75})),
              "changed by 7.36 standard errors");
}

TEST(MetricChange, OtherSeedsAreComparedByTheirMeans) {
    std::vector<Row> after = repetitions({2.0, 3.0});
    for (Row& row : after) {
        row.key.seed = 2;
    }
    const std::vector<Row> before = repetitions({3.0, 2.0});

    EXPECT_FALSE(same_cases(pointers(before), pointers(after)));
    EXPECT_EQ(change(before, after), "");
    EXPECT_EQ(shown_metric(pointers(after), "distance"), "2.5 ± 0.5 (2)");
}

TEST(MetricChange, AValueThatIsNotFiniteOrNotThereIsAChange) {
    const double infinity = std::numeric_limits<double>::infinity();
    std::vector<Row> without = one({});
    without[0].metrics.erase("distance");

    EXPECT_EQ(change(one({.value = infinity}), one({.value = infinity})), "");
    EXPECT_EQ(change(one({.value = 1.0}), one({.value = infinity})), "not finite on one side");
    EXPECT_EQ(change(one({.value = 1.0}), without), "absent on one side");
    EXPECT_EQ(shown_metric(pointers(without), "distance"), "absent");
}

ResultEntry entry(const std::string& id, const std::string& compiler) {
    ResultEntry made;
    made.id = id;
    made.profile = "quick";
    made.header = record_test::sample_header();
    made.header.provenance.compiler = compiler;
    return made;
}

TEST(EnvironmentChanges, ThatFilesShareAreOneLine) {
    const ResultEntry a = entry("a", "GNU 12");
    const ResultEntry b = entry("b", "GNU 12");
    const ResultEntry a_after = entry("a", "GNU 13");
    const ResultEntry b_after = entry("b", "GNU 13");

    const std::vector<Change> changes = environment_changes({{&a, &a_after}, {&b, &b_after}});

    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(changes[0].file, "quick/a, quick/b");
    EXPECT_EQ(changes[0].subject, "compiler");
    EXPECT_EQ(changes[0].before, "GNU 12");
    EXPECT_EQ(changes[0].after, "GNU 13");
}

TEST(EnvironmentChanges, OfTheCommitAreListedAndLeaveTimesComparable) {
    const ResultEntry before = entry("a", "GNU 12");
    ResultEntry after = before;
    after.header.provenance.commit = "def";
    after.header.provenance.dirty = true;
    after.header.provenance.libraries["gmp"] = "6.3";

    const std::vector<Change> changes = environment_changes({{&before, &after}});

    ASSERT_EQ(changes.size(), 2U);
    EXPECT_EQ(changes[0].subject, "commit");
    EXPECT_EQ(changes[0].before, "abc");
    EXPECT_EQ(changes[0].after, "def with uncommitted changes");
    EXPECT_EQ(changes[1].subject, "library gmp");
    EXPECT_TRUE(same_machine(before.header.provenance, after.header.provenance));
    after.header.provenance.cpu = "another";
    EXPECT_FALSE(same_machine(before.header.provenance, after.header.provenance));
}

}  // namespace

}  // namespace attest::test
