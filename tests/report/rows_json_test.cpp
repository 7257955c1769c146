#include "report/rows_json.hpp"

#include "tests/record/fixture.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest {
namespace {

using record_test::sample_row;
using Json = nlohmann::ordered_json;

TEST(RowsJson, NamesOnceWhatNoRowDiffersIn) {
    const Json table = rows_json({sample_row(0), sample_row(1)});

    EXPECT_EQ(table.at("same"),
              Json::parse(R"([["task","associative_memory"],["d","4"],["mixture","0.5"],
                              ["learner","ridge"],["penalty","0.1"],["seed","1"],
                              ["precision","double"]])"));
    EXPECT_EQ(table.at("columns"), Json::parse(R"([{"name":"repetition","kind":"setting"},
                              {"name":"distance","kind":"metric"},
                              {"name":"time","kind":"metric","unit":"s"},
                              {"name":"status","kind":"row"},{"name":"message","kind":"row"},
                              {"name":"seconds","kind":"row","unit":"s"}])"));
    EXPECT_EQ(table.at("rows"), Json::parse(R"([["0",[0.1,1e-12,"1/10"],2.0,"ok","",0.25],
                              ["1",[0.1,1e-12,"1/10"],2.0,"ok","",0.25]])"));
}

TEST(RowsJson, LeavesACellEmptyWhereARowHasNoSuchMetric) {
    Row other = sample_row(1);
    other.metrics.erase("time");

    const Json table = rows_json({sample_row(0), other});

    EXPECT_EQ(table.at("rows")[1][2], nullptr);
    EXPECT_TRUE(rows_json({}).at("rows").empty());
}

}  // namespace
}  // namespace attest
