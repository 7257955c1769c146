#include "bench/experiments/frame/group_table.hpp"

#include "record/source.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace attest
