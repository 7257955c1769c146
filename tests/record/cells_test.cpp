#include "record/cells.hpp"

#include "core/base/error.hpp"
#include "tests/record/fixture.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace attest {
namespace {

using record_test::sample_row;

/// Three repetitions of one case, distances 1, 2 and 9.
std::vector<Row> three_rows() {
    std::vector<Row> rows;
    for (const double distance : {1.0, 2.0, 9.0}) {
        rows.push_back(sample_row(static_cast<Index>(rows.size())));
        rows.back().metrics["distance"] = {distance};
    }
    return numbered(rows);
}

RowGroup distances(const std::vector<Row>& rows) {
    return group_rows(rows, {"d", "learner"}, "distance").front();
}

TEST(Cells, OfAGroupNameTheRowsThatHoldAValue) {
    std::vector<Row> rows = three_rows();
    rows[1].status = RowStatus::failed;

    const Cell median = cell_of(distances(rows), Statistic::median);
    const Cell count = cell_of(distances(rows), Statistic::count);

    EXPECT_EQ(std::get<double>(median.value), 5.0);
    EXPECT_EQ(median.source->rows, (std::vector<std::size_t>{0, 2}));
    EXPECT_EQ(median.source->name, "distance");
    EXPECT_EQ(std::get<std::int64_t>(count.value), 3);
    EXPECT_EQ(count.source->rows.size(), 3U);
}

TEST(Cells, KeysAreNumbersWithRowsOrTextsWithout) {
    const RowGroup group = distances(three_rows());

    EXPECT_EQ(std::get<std::int64_t>(key_cell(group, 0).value), 4);
    EXPECT_EQ(key_cell(group, 0).source->statistic, Statistic::setting);
    EXPECT_EQ(std::get<std::string>(key_cell(group, 1).value), "ridge");
    EXPECT_FALSE(key_cell(group, 1).source.has_value());
}

TEST(Cells, HoldNothingWhereRowsHoldNothing) {
    const std::vector<Row> rows = three_rows();
    const std::vector<Row> one{rows[0]};
    const auto is_empty = [](const Cell& cell) { return full_text(cell).empty(); };

    EXPECT_TRUE(is_empty(cell_of(group_rows(rows, {}, "absent").front(), Statistic::mean)));
    EXPECT_TRUE(is_empty(cell_of(distances(one), Statistic::standard_error)));
    EXPECT_FALSE(is_empty(cell_of(distances(rows), Statistic::standard_error)));
    EXPECT_TRUE(is_empty(metric_cell(rows[0], "absent")));
    EXPECT_TRUE(is_empty(setting_cell(rows[0], "absent")));
    EXPECT_TRUE(is_empty(computed_cell(
        rows, "", [](const auto&) { return std::numeric_limits<double>::quiet_NaN(); })));
}

TEST(Cells, AreRoundedToWholeNumbersAndTurnedIntoText) {
    const Row row = three_rows()[2];

    EXPECT_EQ(std::get<std::int64_t>(whole(metric_cell(row, "distance")).value), 9);
    EXPECT_TRUE(whole(metric_cell(row, "distance")).source.has_value());
    EXPECT_EQ(std::get<std::string>(as_text(setting_cell(row, "penalty")).value), "0.1");
}

TEST(Recomputed, GivesEveryStatisticAgainFromTheRowsNamed) {
    const std::vector<Row> rows = three_rows();
    const auto again = [&](Statistic statistic, std::vector<std::size_t> places) {
        return recomputed({statistic, "distance", std::move(places), {}}, rows);
    };

    EXPECT_EQ(again(Statistic::value, {2}), 9.0);
    EXPECT_EQ(again(Statistic::mean, {0, 1, 2}), 4.0);
    EXPECT_EQ(again(Statistic::median, {0, 1, 2}), 2.0);
    EXPECT_EQ(again(Statistic::least, {1, 2}), 2.0);
    EXPECT_EQ(again(Statistic::greatest, {0, 1}), 2.0);
    EXPECT_EQ(again(Statistic::sum, {0, 1, 2}), 12.0);
    EXPECT_EQ(again(Statistic::count, {0, 1}), 2.0);
    EXPECT_EQ(recomputed({Statistic::setting, "d", {0, 1}, {}}, rows), 4.0);
    const RowFunction last = [](const std::vector<Row>& mine) {
        return mine.back().metrics.at("distance").value;
    };
    EXPECT_EQ(recomputed({Statistic::computed, "last", {0, 1}, last}, rows), 2.0);
}

TEST(Recomputed, RefusesRowsThatDoNotAgreeOrLackTheNumber) {
    const std::vector<Row> rows = three_rows();

    EXPECT_THROW((void)recomputed({Statistic::value, "distance", {0, 1}, {}}, rows), InvalidInput);
    EXPECT_THROW((void)recomputed({Statistic::mean, "absent", {0}, {}}, rows), InvalidInput);
    EXPECT_THROW((void)recomputed({Statistic::mean, "distance", {}, {}}, rows), InvalidInput);
}

}  // namespace
}  // namespace attest
