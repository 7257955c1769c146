#include "record/table.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <string_view>

namespace attest {

namespace {

using Lines = std::vector<std::vector<std::string>>;

constexpr const char* kNothing = "–";

std::string cell_text(const Cell& cell, const NumberFormat& format) {
    if (const auto* text = std::get_if<std::string>(&cell.value)) {
        return *text;
    }
    if (const auto* number = std::get_if<std::int64_t>(&cell.value)) {
        return std::to_string(*number);
    }
    const auto* value = std::get_if<double>(&cell.value);
    return value == nullptr ? kNothing : format_number(*value, format);
}

void check_shape(const Table& table) {
    for (const std::vector<Cell>& row : table.rows) {
        require(row.size() == table.columns.size(),
                "table: got a row of {} cells, expected {}",
                row.size(),
                table.columns.size());
    }
}

std::string one_line(std::string text) {
    std::replace_if(
        text.begin(),
        text.end(),
        [](char letter) { return letter == '\n' || letter == '\r'; },
        ' ');
    return text;
}

// Characters, not bytes: every one is taken to fill one column of a terminal.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
    }));
}

std::vector<std::size_t> column_widths(const Lines& lines) {
    std::vector<std::size_t> widths(lines.front().size(), 1);
    for (const std::vector<std::string>& line : lines) {
        for (std::size_t j = 0; j < line.size(); ++j) {
            widths[j] = std::max(widths[j], width(line[j]));
        }
    }
    return widths;
}

std::string repeated(const std::string& text, std::size_t count) {
    std::string result;
    for (std::size_t i = 0; i < count; ++i) {
        result += text;
    }
    return result;
}

std::string padded(const std::string& text, std::size_t columns, Alignment alignment) {
    const std::string space(columns - std::min(columns, width(text)), ' ');
    return alignment == Alignment::left ? text + space : space + text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    return "\"" + replaced(text, "\"", "\"\"") + "\"";
}

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
    std::string text;
    for (std::size_t j = 0; j < parts.size(); ++j) {
        text += (j == 0 ? "" : between) + parts[j];
    }
    return text;
}

Lines markdown_lines(const Table& table) {
    Lines lines = shown_lines(table);
    for (std::vector<std::string>& line : lines) {
        std::transform(line.begin(), line.end(), line.begin(), [](const std::string& text) {
            return replaced(text, "|", "\\|");
        });
    }
    return lines;
}

/// Cells of at least these widths.
std::string markdown_table(const Table& table,
                           const Lines& lines,
                           const std::vector<std::size_t>& widths) {
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::string rule = "|";
        text += "|";
        for (std::size_t j = 0; j < widths.size(); ++j) {
            const Alignment alignment = table.columns[j].alignment;
            text += " " + padded(lines[i][j], widths[j], alignment) + " |";
            rule += repeated("-", std::max<std::size_t>(widths[j], 2) + 1) +
                    (alignment == Alignment::right ? ":|" : "-|");
        }
        text += "\n" + (i == 0 ? rule + "\n" : "");
    }
    return text;
}

std::string escaped(const std::string& text) {
    std::string result;
    for (const char letter : text) {
        if (letter == '\\') {
            result += "\\textbackslash{}";
        } else if (letter == '~') {
            result += "\\textasciitilde{}";
        } else if (letter == '^') {
            result += "\\textasciicircum{}";
        } else if (std::string_view("&%$#_{}").find(letter) != std::string_view::npos) {
            result += std::string("\\") + letter;
        } else {
            result += letter;
        }
    }
    return result;
}

std::string number_in_math(const std::string& shown) {
    const std::size_t split = shown.find('e');
    if (split == std::string::npos) {
        return "$" + shown + "$";
    }
    return formatted(
        "${} \\times 10^{{{}}}$", shown.substr(0, split), std::stoi(shown.substr(split + 1)));
}

std::string cell_in_latex(const Cell& cell, const std::string& shown) {
    if (const auto* value = std::get_if<double>(&cell.value)) {
        return std::isfinite(*value) ? number_in_math(shown) : shown;
    }
    return std::holds_alternative<std::monostate>(cell.value) ? "--" : escaped(shown);
}

}  // namespace

std::string format_number(double value, const NumberFormat& format) {
    if (!std::isfinite(value) || format.style == NumberFormat::Style::shortest) {
        return round_trip(value);
    }
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out << std::setprecision(format.digits);
    if (format.style == NumberFormat::Style::fixed) {
        out << std::fixed;
    } else if (format.style == NumberFormat::Style::scientific) {
        out << std::scientific;
    }
    out << value;
    return out.str();
}

std::string full_text(const Cell& cell) {
    return std::holds_alternative<std::monostate>(cell.value) ? "" : cell_text(cell, {});
}

std::vector<std::vector<std::string>> shown_lines(const Table& table) {
    check_shape(table);
    Lines lines(1);
    for (const Column& column : table.columns) {
        lines.front().push_back(one_line(column.header));
    }
    for (const std::vector<Cell>& row : table.rows) {
        std::vector<std::string> line;
        for (std::size_t j = 0; j < row.size(); ++j) {
            line.push_back(one_line(cell_text(row[j], table.columns[j].format)));
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string to_terminal(const Table& table) {
    const Lines lines = shown_lines(table);
    const std::vector<std::size_t> widths = column_widths(lines);
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::string line;
        for (std::size_t j = 0; j < widths.size(); ++j) {
            line +=
                (j == 0 ? "" : "  ") + padded(lines[i][j], widths[j], table.columns[j].alignment);
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
        if (i == 0) {
            std::vector<std::string> rule;
            rule.reserve(widths.size());
            for (const std::size_t columns : widths) {
                rule.push_back(repeated("─", columns));
            }
            text += joined(rule, "  ") + "\n";
        }
    }
    return text;
}

std::string to_csv(const Table& table) {
    check_shape(table);
    std::vector<std::string> fields;
    for (const Column& column : table.columns) {
        fields.push_back(csv_field(column.header));
    }
    std::string text = joined(fields, ",") + "\n";
    for (const std::vector<Cell>& row : table.rows) {
        fields.clear();
        for (const Cell& cell : row) {
            fields.push_back(csv_field(full_text(cell)));
        }
        text += joined(fields, ",") + "\n";
    }
    return text;
}

std::string to_markdown(const Table& table) {
    const Lines lines = markdown_lines(table);
    std::vector<std::size_t> widths = column_widths(lines);
    for (std::size_t& columns : widths) {
        columns = std::max<std::size_t>(columns, 2);
    }
    return markdown_table(table, lines, widths);
}

std::string to_unpadded_markdown(const Table& table) {
    const std::vector<std::size_t> none(table.columns.size(), 0);
    return markdown_table(table, markdown_lines(table), none);
}

std::string to_latex(const Table& table) {
    const std::vector<std::vector<std::string>> lines = shown_lines(table);
    std::string letters;
    std::string header;
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
        letters += table.columns[j].alignment == Alignment::left ? 'l' : 'r';
        header += (j == 0 ? "" : " & ") + escaped(lines.front()[j]);
    }
    std::string text =
        "\\begin{tabular}{" + letters + "}\n\\toprule\n" + header + " \\\\\n\\midrule\n";
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        for (std::size_t j = 0; j < table.columns.size(); ++j) {
            text += (j == 0 ? "" : " & ") + cell_in_latex(table.rows[i][j], lines[i + 1][j]);
        }
        text += " \\\\\n";
    }
    return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace attest
