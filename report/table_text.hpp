#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// The fields of every line, as RFC 4180 quotes them; lines end in \n or \r\n. Reads back to_csv.
[[nodiscard]] std::vector<std::vector<std::string>> csv_lines(std::string_view text);

/// The cells of every line of a Markdown table, the rule left out. Reads back to_markdown.
[[nodiscard]] std::vector<std::vector<std::string>> markdown_lines(std::string_view text);

}  // namespace attest
