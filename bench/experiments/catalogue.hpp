#pragma once

#include "record/experiment.hpp"
#include "record/provenance.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// Where the report shows an experiment.
enum class Topic : std::uint8_t {
    papers,   ///< what the papers' figures and statements look like, measured
    solvers,  ///< how the solvers compare: time, error, memory
};

/// One figure, table or question: how to measure it, and what to draw from the rows.
struct ExperimentEntry {
    std::string_view id;       ///< snake_case, as on the command line
    std::string_view summary;  ///< one line: what it shows
    double quick_seconds;      ///< measured on two cores, for "about … s" before it starts
    double full_seconds;
    Experiment (*make)(Profile profile, std::uint64_t seed);
    /// The main table, for a terminal.
    std::string (*text)(const std::vector<Row>& rows);
    /// Writes tables and figures below `folder` from the rows alone and returns their paths, tables
    /// first.
    std::vector<std::filesystem::path> (*derive)(const std::vector<Row>& rows,
                                                 const std::filesystem::path& folder);
    /// A refused case is an answer that the experiment asks for, not a failure of the run.
    bool asks_for_refusals = false;
    Topic topic = Topic::papers;
};

/// Every experiment, in the order in which `attest reproduce all` runs them.
[[nodiscard]] std::span<const ExperimentEntry> experiments();

/// The experiment of that id; throws UnknownName listing the ids otherwise.
[[nodiscard]] const ExperimentEntry& experiment_named(std::string_view id);

}  // namespace attest
