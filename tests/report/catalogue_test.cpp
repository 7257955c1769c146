#include "report/catalogue.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/child_process.hpp"
#include "core/base/text.hpp"
#include "record/summary.hpp"
#include "tests/report/sample_results.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace attest::test {
namespace {

const std::filesystem::path kResults = ATTEST_RESULTS;

/// Mean, median and the others once more, by their definitions.
double by_hand(const Source& source, const std::vector<Row>& rows) {
    if (source.statistic == Statistic::count) {
        return static_cast<double>(source.rows.size());
    }
    if (source.statistic == Statistic::computed || source.statistic == Statistic::standard_error) {
        return recomputed(source, rows);
    }
    std::vector<double> values;
    for (const std::size_t position : source.rows) {
        const Row& row = rows.at(position);
        values.push_back(source.statistic == Statistic::setting
                             ? number_field(row, source.name)
                             : row.metrics.at(source.name).value);
    }
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    double sum = 0.0;
    for (const double value : values) {
        sum += value;
    }
    switch (source.statistic) {
        case Statistic::setting:
        case Statistic::value:
            EXPECT_TRUE(bitwise_equal(values.front(), values.back())) << source.name;
            return values.front();
        case Statistic::mean:
            return sum / static_cast<double>(values.size());
        case Statistic::median:
            return values.size() % 2 == 1 ? values[half] : values[half - 1] / 2 + values[half] / 2;
        case Statistic::least:
            return values.front();
        case Statistic::greatest:
            return values.back();
        case Statistic::sum:
            return sum;
        default:
            return recomputed(source, rows);
    }
}

double shown_number(const Cell& cell) {
    const auto* number = std::get_if<std::int64_t>(&cell.value);
    return number == nullptr ? std::get<double>(cell.value) : static_cast<double>(*number);
}

/// Why a numeric cell does not come from the rows it names; empty where it does.
std::string fault_of(const Cell& cell, const std::vector<Row>& rows) {
    if (!cell.source) {
        return "a number without source";
    }
    if (cell.source->rows.empty()) {
        return "a source without rows";
    }
    const double again = by_hand(*cell.source, rows);
    const bool whole = std::holds_alternative<std::int64_t>(cell.value);
    const bool same = bitwise_equal(whole ? std::round(again) : again, shown_number(cell));
    return same ? "" : full_text(cell) + " is shown, its rows give " + std::to_string(again);
}

/// The numbers of a table with the place of each.
std::vector<std::pair<std::string, const Cell*>> numbers_of(const Table& table) {
    std::vector<std::pair<std::string, const Cell*>> numbers;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        for (std::size_t j = 0; j < table.columns.size(); ++j) {
            if (table.rows[i][j].is_number()) {
                numbers.emplace_back(formatted("line {}, {}", i, table.columns[j].header),
                                     &table.rows[i][j]);
            }
        }
    }
    return numbers;
}

TEST(Catalogue, EveryNumberOfATableIsWhatItsRowsGive) {
    std::size_t count = 0;
    std::set<Statistic> met;
    for (const char* profile : {"quick", "full"}) {
        for (const ResultEntry& entry : read_results(kResults / profile).entries) {
            const Derived derived = derived_from(entry);
            EXPECT_FALSE(derived.tables.empty()) << entry.name();
            for (const auto& [name, table] : derived.tables) {
                for (const auto& [place, cell] : numbers_of(table)) {
                    EXPECT_EQ(fault_of(*cell, entry.rows), "")
                        << entry.name() << ' ' << name << ", " << place;
                    ++count;
                    met.insert(cell->source ? cell->source->statistic : Statistic::value);
                }
            }
        }
    }
    EXPECT_GT(count, 3000U);
    EXPECT_GE(met.size(), 9U) << "hardly a statistic was met";
}

TEST(Catalogue, ANumberOfOtherRowsIsNoticed) {
    const ResultEntry entry = read_results(kResults / "quick" / "fig2.jsonl").entries.front();
    Cell cell = derived_from(entry).tables.front().table.rows.front()[1];
    ASSERT_EQ(fault_of(cell, entry.rows), "");

    Cell moved = cell;
    moved.source->rows.pop_back();
    Cell changed = cell;
    changed.value = shown_number(cell) * (1.0 + 0x1p-52);
    Cell homeless = cell;
    homeless.source.reset();

    EXPECT_NE(fault_of(moved, entry.rows), "");
    EXPECT_NE(fault_of(changed, entry.rows), "");
    EXPECT_NE(fault_of(homeless, entry.rows), "");
}

TEST(Catalogue, CommittedTablesAndFiguresAreWhatTheirRowsGive) {
    // Another gnuplot than Debian 12's draws other bytes; tables do not depend on it.
    const bool same_gnuplot =
        run_child({"gnuplot", "--version"}).out == "gnuplot 5.4 patchlevel 4\n";
    std::size_t compared = 0;
    for (const char* profile : {"quick", "full"}) {
        const TemporaryFolder copy;
        for (const ResultEntry& entry : read_results(kResults / profile).entries) {
            std::filesystem::copy_file(entry.path, copy.path() / entry.path.filename());
        }
        for (const auto& file : rewrite_derived(read_results(copy.path()))) {
            if (file.extension() == ".tex") {
                continue;  // the table of the .md beside it, which git does not keep
            }
            const auto committed = kResults / profile / file.lexically_relative(copy.path());
            ASSERT_TRUE(std::filesystem::exists(committed)) << committed;
            if (same_gnuplot || file.extension() != ".svg") {
                EXPECT_TRUE(file_content(file) == file_content(committed)) << committed;
                ++compared;
            }
        }
    }
    EXPECT_GE(compared, 20U);
}

TEST(Catalogue, EndsWithTheClaims) {
    const std::vector<ExperimentEntry> entries = catalogue("results");

    EXPECT_EQ(entries.back().id, "claims");
    EXPECT_EQ(std::count_if(entries.begin(),
                            entries.end(),
                            [](const auto& entry) { return entry.topic == Topic::claims; }),
              1);
}

TEST(Catalogue, MakesNothingOfAnUnknownExperiment) {
    ResultEntry entry;
    entry.id = "unknown";

    EXPECT_TRUE(derived_from(entry).tables.empty());
}

}  // namespace
}  // namespace attest::test
