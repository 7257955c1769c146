#pragma once

#include "report/result_set.hpp"

#include <nlohmann/json_fwd.hpp>

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

/// Text as the content or a quoted attribute of an element.
[[nodiscard]] std::string text(std::string_view plain);

/// The same of several lines, each kept.
[[nodiscard]] std::string lines(std::string_view plain);

/// A long name that may break after '/' and '_'.
[[nodiscard]] std::string breakable(std::string_view name);

/// The name as an element's id: letters, digits and '-'; anything else becomes '-'.
[[nodiscard]] std::string id(std::string_view name);

/// <code>, which wraps where it is long.
[[nodiscard]] std::string code(std::string_view plain);

/// A command in a box of its own, with a button that copies it.
[[nodiscard]] std::string command(std::string_view words);

/// A script element that holds data and never runs; nothing in the value can end it.
[[nodiscard]] std::string data_block(std::string_view element_id,
                                     const nlohmann::ordered_json& value);

/// A figure as an element of the page: without the XML declaration, its ids made unique by
/// `prefix`, and without gnuplot's own names for curves, which would show as tooltips.
[[nodiscard]] std::string inline_svg(std::string_view svg, std::string_view prefix);

}  // namespace attest::html

namespace attest {

/// One page that shows a result set: claims, figures with the rows behind them, solvers, a machine
/// that runs on learned attention, certificates, the environment. Self-contained: it asks no
/// network and no other file. What cannot be drawn from the rows is said in its place. Seconds.
[[nodiscard]] std::string html_report(const ResultSet& results);

/// Writes html_report to a file that appears whole or not at all. Throws EnvironmentFailure.
void write_html_report(const ResultSet& results, const std::string& path);

}  // namespace attest
