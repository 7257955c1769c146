#include "report/table_text.hpp"

namespace attest {

namespace {

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string::npos ? ""
                                      : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// "| a | b \| c |" as its cells.
std::vector<std::string> markdown_cells(std::string_view line) {
    std::vector<std::string> cells;
    std::string cell;
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
            cell += line[++i];
        } else if (line[i] == '|') {
            cells.push_back(trimmed(cell));
            cell.clear();
        } else {
            cell += line[i];
        }
    }
    return cells;
}

}  // namespace

std::vector<std::vector<std::string>> csv_lines(std::string_view text) {
    std::vector<std::vector<std::string>> lines;
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char letter = text[i];
        if (quoted && letter == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            fields.back() += text[++i];
        } else if (letter == '"') {
            quoted = !quoted;
        } else if (!quoted && letter == ',') {
            fields.emplace_back();
        } else if (!quoted && letter == '\n') {
            lines.push_back(fields);
            fields.assign(1, "");
        } else if (quoted || letter != '\r') {
            fields.back() += letter;
        }
    }
    if (fields.size() > 1 || !fields.front().empty()) {
        lines.push_back(fields);
    }
    return lines;
}

std::vector<std::vector<std::string>> markdown_lines(std::string_view text) {
    std::vector<std::vector<std::string>> lines;
    std::size_t number = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (number++ != 1 && line.starts_with('|')) {
            lines.push_back(markdown_cells(line));
        }
    }
    return lines;
}

}  // namespace attest
