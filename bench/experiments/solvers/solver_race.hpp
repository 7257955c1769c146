#pragma once

#include "bench/experiments/solvers/solver_timing.hpp"
#include "core/base/files.hpp"
#include "record/derive/derived.hpp"
#include "record/experiment.hpp"
#include "record/row.hpp"
#include "record/table.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Size of a race: token dimension, and examples over unknowns N/ψ.
struct RaceSize {
    Index d = 16;
    double ratio = 4.0;
};

[[nodiscard]] Index num_examples(const RaceSize& size);

/// Gaussian sequences of 32 tokens with planted heads, in a file that goes away with this object.
class RaceData {
public:
    RaceData(const RaceSize& size, std::uint64_t seed);

    [[nodiscard]] std::string file() const { return file_.string(); }

private:
    TemporaryDirectory folder_;
    std::filesystem::path file_;
};

/// Contenders that finish in reasonable time at this size: ours first, then the peers.
[[nodiscard]] std::vector<std::string> race_contenders(const RaceSize& size);

/// A timing as an experiment records it: metrics seconds, cpu_seconds, relative_error, peak_rss.
[[nodiscard]] CaseOutcome outcome_of(const SolverTiming& timing);

/// One line a contender: times, ratio to the fastest, error, memory.
[[nodiscard]] Table timing_table(const std::vector<SolverTiming>& timings);

/// A table for each size and number of threads.
[[nodiscard]] std::string solver_race_text(const std::vector<Row>& rows);

/// Tables solver_race_dD_threadsT.
[[nodiscard]] Derived solver_race_derived(const std::vector<Row>& rows);

}  // namespace attest
