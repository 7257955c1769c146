#include "report/table_text.hpp"

#include "record/table.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using Lines = std::vector<std::vector<std::string>>;

/// A table with everything that has to be quoted.
Table awkward_table() {
    Table table;
    table.columns = {{"name, \"quoted\"", Alignment::left},
                     {"value", Alignment::right, {NumberFormat::Style::fixed, 1}}};
    table.rows = {{"a|b", 0.123}, {"two\nlines, one cell", 2.0}, {"", std::monostate{}}};
    return table;
}

TEST(CsvLines, ReadBackWhatToCsvWrites) {
    EXPECT_EQ(csv_lines(to_csv(awkward_table())),
              (Lines{{"name, \"quoted\"", "value"},
                     {"a|b", "0.123"},
                     {"two\nlines, one cell", "2"},
                     {"", ""}}));
}

TEST(MarkdownLines, ReadBackWhatToMarkdownShows) {
    EXPECT_EQ(markdown_lines(to_markdown(awkward_table())), shown_lines(awkward_table()));
}

TEST(CsvLines, OfNothingAreNone) {
    EXPECT_TRUE(csv_lines("").empty());
    EXPECT_EQ(csv_lines("a,b"), (Lines{{"a", "b"}}));
    EXPECT_EQ(csv_lines("a\r\nb\r\n"), (Lines{{"a"}, {"b"}}));
}

}  // namespace
}  // namespace attest
