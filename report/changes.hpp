#pragma once

#include "record/row.hpp"
#include "report/comparison.hpp"

#include <string>
#include <utility>
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

/// One file of rows, before and after.
using EntryPair = std::pair<const ResultEntry*, const ResultEntry*>;

/// Whether run times can be compared: processor, compiler with its flags, and linear algebra.
[[nodiscard]] bool same_machine(const Provenance& before, const Provenance& after);

/// Facts of code, configuration and machine that differ, those of several files together.
[[nodiscard]] std::vector<Change> environment_changes(const std::vector<EntryPair>& pairs);

}  // namespace attest
