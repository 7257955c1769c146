#pragma once

#include "report/result_set.hpp"

#include <string>
#include <vector>

namespace attest {

/// A table as its experiment writes it.
struct DerivedTable {
    std::string name;
    std::vector<std::vector<std::string>> full;   ///< header, then lines, every digit (CSV)
    std::vector<std::vector<std::string>> shown;  ///< the same cells, rounded to be read (Markdown)
};

struct DerivedFigure {
    std::string name;
    std::string svg;
};

/// What an experiment makes of its rows.
struct DerivedFiles {
    std::vector<DerivedTable> tables;
    std::vector<DerivedFigure> figures;
    std::string problem;  ///< why some of it is absent: no gnuplot, cases that are not there
};

/// Tables and figures from the rows alone, by the experiment's own `derive` (catalogue.hpp), in a
/// temporary directory. Nothing, and no problem, for an id that the catalogue does not know.
[[nodiscard]] DerivedFiles derive_files(const ResultEntry& entry);

/// Writes the tables and figures of every entry of the catalogue, and of the claims, below the
/// folder of its rows and returns their paths. Throws what `derive` throws.
[[nodiscard]] std::vector<std::filesystem::path> rewrite_derived(const ResultSet& results);

}  // namespace attest
