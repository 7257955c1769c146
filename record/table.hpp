#pragma once

#include "core/base/shape.hpp"
#include "record/source.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace attest {

enum class Alignment : std::uint8_t { left, right };

/// How a column shows its doubles to people; CSV holds every double in full whatever this says.
struct NumberFormat {
    enum class Style : std::uint8_t {
        shortest,     ///< every digit there is, "0.1"
        fixed,        ///< `digits` after the point, "0.100"
        scientific,   ///< one digit before the point and `digits` after, "1.00e-01"
        significant,  ///< `digits` significant ones, fixed or scientific, whichever is shorter
    };
    Style style = Style::shortest;
    int digits = 3;
};

struct Column {
    std::string header = {};
    Alignment alignment = Alignment::right;
    NumberFormat format = {};
};

/// What a cell shows, and the rows that it comes from where it comes from rows.
struct Cell {
    /// Nothing (shown as "–", an empty field in CSV), text, a whole number or a double.
    using Value = std::variant<std::monostate, std::string, std::int64_t, double>;

    Cell() = default;

    // A cell is written as what it shows.
    Cell(std::string text) : value(std::move(text)) {}

    Cell(std::int64_t number) : value(number) {}

    Cell(double number) : value(number) {}

    Cell(Value shown, Source from) : value(std::move(shown)), source(std::move(from)) {}

    [[nodiscard]] bool is_number() const {
        return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
    }

    Value value = {};
    std::optional<Source> source = {};
};

/// A small table, filled row by row and printed in several ways. Text is UTF-8; outside CSV a line
/// break in it is shown as a space.
struct Table {
    std::vector<Column> columns = {};
    std::vector<std::vector<Cell>> rows = {};  ///< each as long as `columns`
};

/// The number as a column of this format shows it.
[[nodiscard]] std::string format_number(double value, const NumberFormat& format);

/// The cell with every digit, as CSV holds it.
[[nodiscard]] std::string full_text(const Cell& cell);

/// Header and rows as they are shown to people. Throws InvalidInput when a row is not as long as
/// the header, as do the five below.
[[nodiscard]] std::vector<std::vector<std::string>> shown_lines(const Table& table);

/// For a terminal: columns padded to equal width, a rule under the header.
[[nodiscard]] std::string to_terminal(const Table& table);

/// RFC 4180, lines ended by \n; doubles in their shortest round-trip form.
[[nodiscard]] std::string to_csv(const Table& table);

/// A Markdown table, padded so that the source reads as a table too.
[[nodiscard]] std::string to_markdown(const Table& table);

/// A Markdown table without padding: for cells so long that its source is a table to nobody.
[[nodiscard]] std::string to_unpadded_markdown(const Table& table);

/// A LaTeX tabular with the rules of the booktabs package; "1.2e-05" becomes $1.2 \times 10^{-5}$.
[[nodiscard]] std::string to_latex(const Table& table);

}  // namespace attest
