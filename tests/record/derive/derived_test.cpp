#include "record/derive/derived.hpp"

#include "core/base/error.hpp"
#include "record/derive/experiment_entry.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <array>

namespace attest::test {
namespace {

Table small_table() {
    Table table;
    table.columns = {{"x"}};
    table.rows = {{0.5}};
    return table;
}

TEST(WriteDerived, WritesATableThreeTimesAndReturnsThePaths) {
    const TemporaryFolder folder;

    const auto files = write_derived({{{"one", small_table()}}, {}}, folder.path());

    ASSERT_EQ(files.size(), 3U);
    EXPECT_EQ(files[0], folder.path() / "tables" / "one.csv");
    EXPECT_EQ(file_content(folder.file("tables/one.csv")), to_csv(small_table()));
    EXPECT_EQ(file_content(folder.file("tables/one.md")), to_markdown(small_table()));
    EXPECT_EQ(file_content(folder.file("tables/one.tex")), to_latex(small_table()));
}

TEST(WriteDerived, DrawsFiguresAfterTheTables) {
    const TemporaryFolder folder;
    Figure figure;
    figure.panels = {Panel{"p", {}, {}, {Series{"s", {{1.0, 2.0, 2.0, 2.0}}}}}};
    const Figure without_panels;

    const auto files = write_derived({{{"one", small_table()}}, {{"two", figure}}}, folder.path());

    ASSERT_EQ(files.size(), 4U);
    EXPECT_EQ(files[3], folder.path() / "figures" / "two.svg");
    EXPECT_EQ(file_content(files[3].string()), draw_svg(figure));
    EXPECT_THROW((void)write_derived({{}, {{"three", without_panels}}}, folder.path()),
                 InvalidInput);
}

ExperimentEntry entry(const std::string& id) {
    return {.id = id,
            .summary = "",
            .quick_seconds = 1.0,
            .full_seconds = 2.0,
            .make = {},
            .text = {},
            .derive_numbered = [](const std::vector<Row>& rows) {
                Table table;
                table.columns = {{"position"}};
                for (const Row& row : rows) {
                    table.rows.push_back({static_cast<std::int64_t>(row.position)});
                }
                return Derived{{{"positions", table}}, {}};
            }};
}

TEST(Derive, NumbersTheRowsThatItIsGiven) {
    std::vector<Row> rows(3);
    rows[0].position = 7;

    const Derived derived = derive(entry("a"), rows);

    EXPECT_EQ(to_csv(derived.tables.front().table), "position\n0\n1\n2\n");
}

TEST(EntryNamed, ListsTheIdsWhereNoneFits) {
    const std::array entries{entry("a"), entry("b")};

    EXPECT_EQ(&entry_named(entries, "b"), &entries[1]);
    EXPECT_FAILS(UnknownName, "experiment: got 'c', nearest: a", entry_named(entries, "c"));
}

}  // namespace
}  // namespace attest::test
