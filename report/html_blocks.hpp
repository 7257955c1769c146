#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest::html {

/// Cells of one row of a table; each is HTML.
using Cells = std::vector<std::string>;

/// A table that scrolls where it is wide. Headings are plain text; none: no line of them.
[[nodiscard]] std::string table(const std::vector<std::string>& headings,
                                const std::vector<Cells>& rows);

/// A section of a page: `content` is HTML, the title plain text.
[[nodiscard]] std::string section(std::string_view id,
                                  std::string_view title,
                                  std::string_view content);

/// Plain text as a paragraph.
[[nodiscard]] std::string paragraph(std::string_view plain);

}  // namespace attest::html
