#pragma once

#include "record/row.hpp"

#include <string>
#include <vector>

namespace attest {

/// The rows of one setting: they differ in seed and repetition only.
using SettingRows = std::vector<const Row*>;

/// Whether both hold the same cases, seeds included, in some order.
[[nodiscard]] bool same_cases(const SettingRows& before, const SettingRows& after);

/// Why this metric counts as moved between the two, as compare_results says; empty if it does not.
[[nodiscard]] std::string moved(const SettingRows& before,
                                const SettingRows& after,
                                const std::string& metric,
                                double threshold);

/// The metric's value, or its mean ± standard error over several rows; "absent".
[[nodiscard]] std::string shown_metric(const SettingRows& rows, const std::string& metric);

}  // namespace attest
