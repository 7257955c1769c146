#pragma once

#include "record/derive/experiment_entry.hpp"

#include <string>
#include <vector>

namespace attest {

// Each stands in the file of its name and reads the text at `path`, a file or a folder.
[[nodiscard]] ExperimentEntry text_identifiability(const std::string& path);
[[nodiscard]] ExperimentEntry text_learning(const std::string& path);
[[nodiscard]] ExperimentEntry text_coverage(const std::string& path);
[[nodiscard]] ExperimentEntry text_wide(const std::string& path);
[[nodiscard]] ExperimentEntry text_sketch(const std::string& path);

/// All of them, on the text at `path`; on Debian's licences where it is empty.
[[nodiscard]] std::vector<ExperimentEntry> text_experiments(const std::string& path);

}  // namespace attest
