#pragma once

#include "record/derive/derived.hpp"
#include "report/result_set.hpp"

#include <filesystem>
#include <span>
#include <vector>

namespace attest {

/// Every figure that joins the rows of several experiments.
[[nodiscard]] std::span<const JointFigure> joint_figures();

/// One that a folder of rows gives.
struct DrawnJointFigure {
    NamedFigure named;
    std::string summary;
    std::filesystem::path folder;
    std::vector<const ResultEntry*> entries;  ///< whose rows it shows
};

/// Those whose experiments all have rows in one folder, folder by folder. Points into `results`.
[[nodiscard]] std::vector<DrawnJointFigure> joint_figures_of(const ResultSet& results);

}  // namespace attest
