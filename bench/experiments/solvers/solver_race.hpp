#pragma once

#include "bench/experiments/frame/scratch_folder.hpp"
#include "bench/experiments/solvers/solver_timing.hpp"
#include "record/experiment.hpp"
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
    ScratchFolder folder_;
    std::filesystem::path file_;
};

/// Contenders that finish in reasonable time at this size: ours first, then the peers.
[[nodiscard]] std::vector<std::string> race_contenders(const RaceSize& size);

/// One line a contender: times, ratio to the fastest, error, memory.
[[nodiscard]] Table timing_table(const std::vector<SolverTiming>& timings);

/// The experiment `solver_race`: contenders × sizes × threads, rounds interleaved.
[[nodiscard]] Experiment make_solver_race(Profile profile, std::uint64_t seed);
[[nodiscard]] std::string solver_race_text(const std::vector<Row>& rows);
[[nodiscard]] std::vector<std::filesystem::path> derive_solver_race(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest
