#pragma once

#include "report/result_set.hpp"

#include <string>

namespace attest {

/// One page that shows a result set: claims, figures with the rows behind them, solvers, a machine
/// that runs on learned attention, certificates, the environment. Self-contained: it asks no
/// network and no other file. What cannot be drawn from the rows is said in its place. Seconds.
[[nodiscard]] std::string html_report(const ResultSet& results);

/// Writes html_report to a file that appears whole or not at all. Throws EnvironmentFailure.
void write_html_report(const ResultSet& results, const std::string& path);

}  // namespace attest
