#pragma once

#include "record/configuration.hpp"
#include "record/directory_lock.hpp"
#include "record/progress.hpp"
#include "record/row.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace attest {

/// What a case found. It may say itself that it was refused or skipped, and why.
struct CaseOutcome {
    Metrics metrics = {};
    RowStatus status = RowStatus::ok;
    std::string message = {};
    std::string evidence = {};  ///< see Row::evidence
};

/// One measurement of an experiment: what is run, and how. `run` polls `interrupted()` where it is
/// long and throws Interrupted then (core/base/interrupt.hpp).
struct Case {
    CaseKey key;
    std::function<CaseOutcome()> run;
};

/// What becomes of a result file that exists already.
enum class Restart : std::uint8_t {
    anew,    ///< kept beside as NAME.previous
    resume,  ///< cases with status ok are not run again
};

struct Experiment {
    std::string id = {};  ///< snake_case; rows go to DIRECTORY/id.jsonl
    Profile profile = Profile::quick;
    std::uint64_t seed = 0;
    ParameterMap parameters = {};  ///< whatever else decides the cases
    std::vector<Case> cases = {};
};

/// Runs the cases one after the other and appends a row for each, also for those that throw:
/// NotAvailable becomes skipped, EnvironmentFailure and lack of memory refused, every other
/// exception failed, a metric that is NaN failed. Returns the latest row of every case, in the
/// order of the cases. Throws EnvironmentFailure when a row cannot be stored, InvalidInput when the
/// file cannot be resumed, Interrupted (the rows are kept) when the user asked to stop.
[[nodiscard]] std::vector<Row> run_experiment(const Experiment& experiment,
                                              const DirectoryLock& output,
                                              const Provenance& provenance,
                                              Restart restart,
                                              const ProgressOptions& progress = {});

/// The file that run_experiment writes.
[[nodiscard]] std::filesystem::path result_path(const Experiment& experiment,
                                                const DirectoryLock& output);

}  // namespace attest
