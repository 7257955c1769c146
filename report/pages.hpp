#pragma once

#include "record/derive/experiment_entry.hpp"
#include "report/result_set.hpp"

#include <string>
#include <string_view>

namespace attest::html {

/// A whole page: head, the report's style, `body` as it is. Its policy lets it run its own script
/// and style and fetch nothing at all.
[[nodiscard]] std::string page(std::string_view title, std::string_view body);

}  // namespace attest::html

namespace attest {

// The sections of the report, each an HTML element with its own id and heading.

/// Counts, and where to go.
[[nodiscard]] std::string summary_section(const ResultSet& results);
/// Every claim with its statement as printed beside the one tested, and filters.
[[nodiscard]] std::string claims_section(const ResultSet& results);
/// Figures, tables and rows of every experiment of this topic. Result files that the catalogue does
/// not know stand with those of the papers.
[[nodiscard]] std::string results_section(const ResultSet& results, Topic topic);
/// The figures that join the rows of several experiments.
[[nodiscard]] std::string joint_articles(const ResultSet& results);
/// A learned machine, token by token.
[[nodiscard]] std::string machine_section();
/// The explorer, a page of its own in a frame that the page fills when it is opened.
[[nodiscard]] std::string explorer_section();
/// A data set that determines its function and one that does not, with proof and witness.
[[nodiscard]] std::string certificate_section();
/// Where every file of rows comes from, and the lines that could not be read.
[[nodiscard]] std::string environment_section(const ResultSet& results);

/// "quick-fig2": what the ids of an entry's elements begin with.
[[nodiscard]] std::string anchor_of(const ResultEntry& entry);
/// The collapsible table of all rows of an entry; the page fills it from the data when opened.
[[nodiscard]] std::string rows_table(const ResultEntry& entry);

}  // namespace attest

namespace attest::assets {

/// The files of report/page and the explorer, as cmake/embed_page.cmake puts them into the program.

extern const std::string_view kStyle;     ///< report.css
extern const std::string_view kScript;    ///< the scripts, one after the other in one function
extern const std::string_view kExplorer;  ///< docs/play as one page

}  // namespace attest::assets
