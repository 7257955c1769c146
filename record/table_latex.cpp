#include "core/base/text.hpp"
#include "record/table.hpp"

#include <cmath>
#include <string_view>

namespace attest {

namespace {

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
