#pragma once

#include "cli/command.hpp"
#include "record/derive/experiment_entry.hpp"
#include "record/directory_lock.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace attest::cli {

/// How an experiment is run.
struct EntryRun {
    Profile profile = Profile::quick;
    Restart restart = Restart::anew;
    ProgressMode progress = ProgressMode::automatic;
    std::function<std::string()> resume_command;  ///< what takes an interrupted run up again
};

// NOLINTNEXTLINE(bugprone-exception-escape): an assertion in nlohmann's move constructor
struct EntryResult {
    std::vector<Row> rows;
    std::size_t failed_cases = 0;    ///< the first was spelled out on standard error
    nlohmann::ordered_json summary;  ///< id, number of rows, files written
};

/// Runs an experiment into the folder, writes its tables and figures and, unless JSON is asked for,
/// prints its main table and the names of all files. Throws Interrupted with the resume command.
[[nodiscard]] EntryResult run_entry(const ExperimentEntry& entry,
                                    const EntryRun& run,
                                    const CommonOptions& common,
                                    const DirectoryLock& folder,
                                    const Provenance& provenance);

}  // namespace attest::cli
