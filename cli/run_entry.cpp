#include "cli/run_entry.hpp"

#include "core/base/interrupt.hpp"

#include <iostream>

namespace attest::cli {

namespace {

std::vector<Row> measure(const Experiment& experiment,
                         const EntryRun& run,
                         const DirectoryLock& folder,
                         const Provenance& provenance) {
    try {
        return run_experiment(experiment, folder, provenance, run.restart, {run.progress});
    } catch (const Interrupted&) {
        throw Interrupted("interrupted; finished cases are kept, go on with: " +
                          run.resume_command());
    }
}

/// How many of the rows did not end well, with the first of them spelled out.
std::size_t report_failures(const ExperimentEntry& entry, const std::vector<Row>& rows) {
    std::size_t bad = 0;
    for (const Row& row : rows) {
        // A contender that is not installed is a row that says so, not a failure of the run.
        const bool answered = row.status == RowStatus::skipped ||
                              (row.status == RowStatus::refused && entry.asks_for_refusals);
        if (row.status != RowStatus::ok && !answered) {
            if (bad == 0) {
                std::cerr << entry.id << ": " << describe(row.key) << ": " << to_string(row.status)
                          << ": " << row.message << '\n';
            }
            ++bad;
        }
    }
    return bad;
}

}  // namespace

EntryResult run_entry(const ExperimentEntry& entry,
                      const EntryRun& run,
                      const CommonOptions& common,
                      const DirectoryLock& folder,
                      const Provenance& provenance) {
    const Experiment experiment = entry.make(run.profile, common.seed);
    EntryResult found;
    found.rows = measure(experiment, run, folder, provenance);
    // The claims say by their own exit code how they ended.
    if (entry.topic != Topic::claims) {
        found.failed_cases = report_failures(entry, found.rows);
    }
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    files.push_back(result_path(experiment, folder).string());
    for (const std::filesystem::path& file :
         write_derived(derive(entry, found.rows), folder.directory())) {
        files.push_back(file.string());
    }
    if (!common.json) {
        std::cout << entry.text(found.rows);
        for (const auto& file : files) {
            std::cout << "wrote " << file.get<std::string>() << '\n';
        }
    }
    found.summary = {{"id", entry.id}, {"rows", found.rows.size()}, {"files", files}};
    return found;
}

}  // namespace attest::cli
