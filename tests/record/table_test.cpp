#include "record/table.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "tests/record/fixture.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace attest::record_test {

namespace {

using Style = NumberFormat::Style;

Table sample_table() {
    return {.columns = {{"learner", Alignment::left},
                        {"λ_min", Alignment::right, {Style::scientific, 2}},
                        {"rank"},
                        {"share", Alignment::right, {Style::fixed, 1}}},
            .rows = {{std::string("minimum_norm | 5 %"), 1.0 / 3.0, std::int64_t{40}, 0.25},
                     {std::string("ridge, \"small\""), Cell(), std::int64_t{7}, 12.0}}};
}

TEST(Table, TerminalTextIsAlignedByCharactersNotBytes) {
    EXPECT_EQ(to_terminal(sample_table()),
              "learner                λ_min  rank  share\n"
              "──────────────────  ────────  ────  ─────\n"
              "minimum_norm | 5 %  3.33e-01    40    0.2\n"
              "ridge, \"small\"             –     7   12.0\n");
}

TEST(Table, TerminalTextHasNoTrailingSpaces) {
    const Table table{
        .columns = {{"a", Alignment::left}, {"b", Alignment::left}},
        .rows = {{std::string("x"), std::string("long")}, {std::string("y"), std::string("")}}};

    EXPECT_EQ(to_terminal(table), "a  b\n─  ────\nx  long\ny\n");
}

TEST(Table, CsvHoldsEveryDigitAndQuotesWhatNeedsIt) {
    EXPECT_EQ(to_csv(sample_table()),
              "learner,λ_min,rank,share\n"
              "minimum_norm | 5 %,0.3333333333333333,40,0.25\n"
              "\"ridge, \"\"small\"\"\",,7,12\n");
}

TEST(Table, MarkdownIsATableInItsSourceToo) {
    EXPECT_EQ(to_markdown(sample_table()),
              "| learner             |    λ_min | rank | share |\n"
              "|---------------------|---------:|-----:|------:|\n"
              "| minimum_norm \\| 5 % | 3.33e-01 |   40 |   0.2 |\n"
              "| ridge, \"small\"      |        – |    7 |  12.0 |\n");
}

TEST(Table, MarkdownColumnsOfOneCharacterKeepAValidRule) {
    const Table table{.columns = {{"d"}}, .rows = {{std::int64_t{4}}}};

    EXPECT_EQ(to_markdown(table), "|  d |\n|---:|\n|  4 |\n");
}

TEST(Table, UnpaddedMarkdownHasTheSameCellsAndRule) {
    EXPECT_EQ(to_unpadded_markdown(sample_table()),
              "| learner | λ_min | rank | share |\n"
              "|----|---:|---:|---:|\n"
              "| minimum_norm \\| 5 % | 3.33e-01 | 40 | 0.2 |\n"
              "| ridge, \"small\" | – | 7 | 12.0 |\n");
}

TEST(Table, LatexEscapesTextAndSetsNumbersInMathematics) {
    EXPECT_EQ(to_latex(sample_table()),
              "\\begin{tabular}{lrrr}\n"
              "\\toprule\n"
              "learner & λ\\_min & rank & share \\\\\n"
              "\\midrule\n"
              "minimum\\_norm | 5 \\% & $3.33 \\times 10^{-1}$ & 40 & $0.2$ \\\\\n"
              "ridge, \"small\" & -- & 7 & $12.0$ \\\\\n"
              "\\bottomrule\n"
              "\\end{tabular}\n");
}

TEST(Table, LatexEscapesEverySpecialCharacter) {
    const Table table{.columns = {{"a&b%c$d#e_f{g}h~i^j\\k"}}, .rows = {}};

    EXPECT_SAYS(to_latex(table),
                "a\\&b\\%c\\$d\\#e\\_f\\{g\\}h\\textasciitilde{}i\\textasciicircum{}j"
                "\\textbackslash{}k");
}

TEST(Table, LineBreakInACellStaysInCsvOnly) {
    const Table table{.columns = {{"message"}}, .rows = {{std::string("one\ntwo")}}};

    EXPECT_EQ(to_csv(table), "message\n\"one\ntwo\"\n");
    EXPECT_EQ(to_terminal(table), "message\n───────\none two\n");
}

TEST(Table, RowOfAnotherLengthIsRejectedByAllFive) {
    Table table = sample_table();
    table.rows[1].pop_back();

    for (const auto& render : {to_terminal, to_csv, to_markdown, to_unpadded_markdown, to_latex}) {
        EXPECT_REFUSED("table: got a row of 3 cells", render(table));
    }
}

TEST(FormatNumber, EachStyle) {
    EXPECT_EQ(format_number(0.1, {}), "0.1");
    EXPECT_EQ(format_number(0.125, {Style::fixed, 2}), "0.12");
    EXPECT_EQ(format_number(12345.678, {Style::scientific, 1}), "1.2e+04");
    EXPECT_EQ(format_number(12345.678, {Style::significant, 3}), "1.23e+04");
    EXPECT_EQ(format_number(0.0123456, {Style::significant, 3}), "0.0123");
    EXPECT_EQ(format_number(std::nan(""), {Style::fixed, 2}), "nan");
    EXPECT_EQ(format_number(-std::numeric_limits<double>::infinity(), {}), "-inf");
}

/// RFC 4180, read by a state machine of its own.
std::vector<std::string> parse_csv_line(const std::string& text) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        if (quoted && text[i] == '"' && text[i + 1] == '"') {
            fields.back() += '"';
            ++i;
        } else if (text[i] == '"') {
            quoted = !quoted;
        } else if (text[i] == ',' && !quoted) {
            fields.emplace_back();
        } else {
            fields.back() += text[i];
        }
    }
    return fields;
}

RC_GTEST_PROP(Table, CsvReadsBack, (const std::string& first, double value)) {
    RC_PRE(std::isfinite(value));
    const Table table{.columns = {{first}, {"x"}}, .rows = {{first, value}}};

    const std::string csv = to_csv(table);
    const std::string header = to_csv({.columns = table.columns, .rows = {}});
    const std::vector<std::string> fields = parse_csv_line(csv.substr(header.size()));

    RC_ASSERT(fields.size() == 2U);
    RC_ASSERT(fields[0] == first);
    RC_ASSERT(bitwise_equal(std::stod(fields[1]), value));
}

}  // namespace

}  // namespace attest::record_test
