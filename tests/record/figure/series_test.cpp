#include "record/figure/series.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "tests/record/fixture.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest::record_test {

namespace {

std::vector<Row> sample_rows() {
    std::vector<Row> rows;
    for (const double mixture : {1.0, 0.0}) {
        for (const Index repetition : {0, 1, 2}) {
            for (const char* learner : {"ridge", "qr"}) {
                Row row = sample_row(repetition);
                row.key.learner = learner;
                row.key.parameters["mixture"] = mixture;
                // 1, 2, 6 above the mixture: mean 3, median 2
                row.metrics["distance"].value =
                    10.0 * mixture + (repetition == 2 ? 6.0 : static_cast<double>(repetition + 1));
                rows.push_back(row);
            }
        }
    }
    return rows;
}

void expect_point(const Point& point, const Point& expected) {
    EXPECT_TRUE(bitwise_equal(point.x, expected.x));
    EXPECT_TRUE(bitwise_equal(point.y, expected.y));
    EXPECT_TRUE(bitwise_equal(point.low, expected.low));
    EXPECT_TRUE(bitwise_equal(point.high, expected.high));
}

TEST(SeriesFromRows, OneCurveForEachLearnerSortedByX) {
    const std::vector<Series> series = series_from_rows(
        sample_rows(),
        {.x = "mixture", .metric = "distance", .by = {"learner"}, .spread = Spread::range});

    ASSERT_EQ(series.size(), 2U);
    EXPECT_EQ(series[0].name, "ridge");
    EXPECT_EQ(series[1].name, "qr");
    ASSERT_EQ(series[0].points.size(), 2U);
    expect_point(series[0].points[0], {0.0, 2.0, 1.0, 6.0});
    expect_point(series[0].points[1], {1.0, 12.0, 11.0, 16.0});
}

TEST(SeriesFromRows, StandardErrorAndNoBar) {
    const SeriesChoice choice{.x = "mixture", .metric = "distance", .by = {"learner"}};
    // Values 1, 2, 6: s² = (4 + 1 + 9)/2 = 7.
    const double error = std::sqrt(7.0 / 3.0);
    expect_point(series_from_rows(sample_rows(), choice)[0].points[0],
                 {0.0, 3.0, 3.0 - error, 3.0 + error});

    SeriesChoice plain = choice;
    plain.spread = Spread::none;
    expect_point(series_from_rows(sample_rows(), plain)[0].points[0], {0.0, 3.0, 3.0, 3.0});
}

TEST(SeriesFromRows, GroupWithoutAValueHasNoPoint) {
    std::vector<Row> rows = sample_rows();
    for (Row& row : rows) {
        if (to_string(row.key.parameters.at("mixture")) == "1") {
            row.status = RowStatus::failed;
        }
    }

    const std::vector<Series> series = series_from_rows(
        rows, {.x = "mixture", .metric = "distance", .by = {"learner", "precision"}});

    ASSERT_EQ(series.size(), 2U);
    EXPECT_EQ(series[0].name, "ridge, double");
    EXPECT_EQ(series[0].points.size(), 1U);
}

TEST(SeriesFromRows, RejectsAnXThatIsNoNumber) {
    EXPECT_REFUSED("parameter: got learner = \"ridge\"",
                   series_from_rows(sample_rows(), {.x = "learner", .metric = "distance"}));
}

}  // namespace

}  // namespace attest::record_test
