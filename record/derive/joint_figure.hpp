#pragma once

#include "record/figure/figure.hpp"
#include "record/row.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attest {

/// A figure of the rows of several experiments.
struct JointFigure {
    std::string name;              ///< of its file, without extension
    std::string summary;           ///< one line: what it shows
    std::vector<std::string> ids;  ///< of the experiments
    /// From their rows, in the order of `ids`; nothing where a panel would have no points.
    std::function<std::optional<Figure>(const std::vector<std::vector<Row>>& rows)> draw;
};

}  // namespace attest
