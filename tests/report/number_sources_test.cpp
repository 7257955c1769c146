#include "report/number_sources.hpp"

#include "tests/report/sample_results.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using record_test::sample_row;
using test::repetitions;

TEST(NumberSources, FindTheRowThatHoldsANumber) {
    const NumberSources sources(repetitions({0.25, 0.375, 0.59}));

    const auto found = sources.find({{"distance", "0.375"}}, 0);

    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->metric, "distance");
    EXPECT_EQ(found->rows.front(), 1U);
    EXPECT_FALSE(sources.find({{"distance", "0.376"}}, 0).has_value());
}

TEST(NumberSources, FindTheRowsBehindAMean) {
    const NumberSources sources(repetitions({0.25, 0.375, 0.5625}));

    const auto found = sources.find({{"distance", "0.3958333333333333"}}, 0);

    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->statistic, "mean");
    EXPECT_EQ(found->rows, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(NumberSources, TellRowsWithOneNumberApartByTheirSettings) {
    std::vector<Row> rows{sample_row(0), sample_row(0)};
    rows[1].key.learner = "minimum_norm";
    rows[1].key.learner_parameters.clear();
    for (Row& row : rows) {
        row.metrics = {{"distance", {.value = 0.125}}};
    }
    const NumberSources sources(rows);

    const auto by_header = sources.find({{"d", "4"}, {"minimum norm", "0.125"}}, 1);
    const auto by_cell = sources.find({{"learner", "ridge"}, {"distance", "0.125"}}, 1);

    ASSERT_TRUE(by_header && by_cell);
    EXPECT_EQ(by_header->rows, (std::vector<std::size_t>{1}));
    EXPECT_EQ(by_cell->rows, (std::vector<std::size_t>{0}));
    const auto both = sources.find({{"d", "4"}, {"another", "0.125"}}, 1);
    ASSERT_TRUE(both.has_value());
    EXPECT_EQ(both->rows, (std::vector<std::size_t>{0, 1}));
    rows[1].metrics = {{"error", {.value = 0.125}}};
    EXPECT_EQ(NumberSources(rows).find({{"d", "4"}, {"another", "0.125"}}, 1)->metric,
              "distance, error");
}

TEST(NumberSources, RoundedNumbersAreFoundAndTextsAreNot) {
    std::vector<Row> rows{sample_row(0)};
    rows[0].metrics = {{"error", {.value = 4.3e-16}}};
    const NumberSources sources(rows);

    EXPECT_TRUE(sources.find({{"error", "4e-16"}}, 0).has_value());
    EXPECT_TRUE(sources.find({{"error", "4e-16 !"}}, 0).has_value());
    EXPECT_FALSE(sources.find({{"error", "5e-16"}}, 0).has_value());
    EXPECT_FALSE(sources.find({{"error", "refused"}}, 0).has_value());
    EXPECT_FALSE(sources.find({{"error", ""}}, 0).has_value());
}

TEST(NumberSources, ASettingIsNoMeasuredNumber) {
    std::vector<Row> rows{sample_row(0)};
    rows[0].key.parameters["condition"] = 1e5;
    rows[0].metrics = {{"reached", {.value = 1.2e5}}};
    const NumberSources sources(rows);

    EXPECT_FALSE(sources.find({{"aimed at", "1e+05"}}, 0).has_value());
    EXPECT_TRUE(sources.find({{"reached", "1e+05"}}, 0).has_value());
    EXPECT_TRUE(sources.find({{"aimed at", "1.2e+05"}}, 0).has_value());
}

TEST(NumberSources, ANumberThatVeryManyRowsHoldHasNoSource) {
    std::vector<Row> rows;
    for (Index i = 0; i < 61; ++i) {
        rows.push_back(sample_row(0));
        rows.back().key.parameters["d"] = i;
        rows.back().metrics = {{"error", {.value = 0.5}}};
    }

    EXPECT_FALSE(NumberSources(rows).find({{"error", "0.5"}}, 0).has_value());
    rows.pop_back();
    EXPECT_EQ(NumberSources(rows).find({{"error", "0.5"}}, 0)->rows.size(), 60U);
}

TEST(NumberSources, WholeNumbersNeedAColumnThatNamesThem) {
    std::vector<Row> rows{sample_row(0)};
    rows[0].metrics = {{"rank", {.value = 36.0}}};
    const NumberSources sources(rows);

    EXPECT_TRUE(sources.find({{"rank", "36"}}, 0).has_value());
    EXPECT_FALSE(sources.find({{"heads", "36"}}, 0).has_value());
}

}  // namespace
}  // namespace attest
