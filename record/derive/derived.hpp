#pragma once

#include "record/figure/figure.hpp"
#include "record/row.hpp"
#include "record/table.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attest {

struct NamedTable {
    std::string name;  ///< of its files, without extension
    Table table;
};

struct NamedFigure {
    std::string name;
    Figure figure;
};

/// What an experiment makes of its rows.
struct Derived {
    std::vector<NamedTable> tables = {};
    std::vector<NamedFigure> figures = {};
};

/// Writes tables/NAME.csv, .md and .tex and figures/NAME.svg below `folder`, which are made if need
/// be, and returns their paths, tables first. Throws EnvironmentFailure, and what draw_svg throws.
[[nodiscard]] std::vector<std::filesystem::path> write_derived(const Derived& derived,
                                                               const std::filesystem::path& folder);

/// A figure of the rows of several experiments.
struct JointFigure {
    std::string name;              ///< of its file, without extension
    std::string summary;           ///< one line: what it shows
    std::vector<std::string> ids;  ///< of the experiments
    /// From their rows, in the order of `ids`; nothing where a panel would have no points.
    std::function<std::optional<Figure>(const std::vector<std::vector<Row>>& rows)> draw;
};

}  // namespace attest
