#pragma once

#include "bench/experiments/frame/last_problem.hpp"
#include "core/data/dataset.hpp"
#include "record/row.hpp"

#include <cstdint>

namespace attest {

/// What decides the data of Figures 1 and 3: a random head labels every prefix of random sequences.
/// Learners of one setting meet the same data, in both figures.
struct TrainingSetting {
    Index d = 4;
    Index num_sequences = 256;
    std::uint64_t seed = 0;
    Index repetition = 0;

    friend bool operator==(const TrainingSetting&, const TrainingSetting&) = default;
};

/// Tokens in a sequence.
inline constexpr Index kTrainingLength = 100;

/// Sequences held out.
inline constexpr Index kHeldOutSequences = 256;

struct TrainingProblem {
    Dataset training;
    Dataset held_out;
};

/// Entries of tokens of variance 1/T, one reading of the N(0, I/√T) that is printed; |V| = 1 and
/// |Q|_F = √d.
[[nodiscard]] TrainingProblem training_problem(const TrainingSetting& setting);

using TrainingProblems = LastProblem<TrainingSetting, TrainingProblem>;

/// The key of a case on these data: task, parameters, seed and repetition.
[[nodiscard]] CaseKey training_key(const TrainingSetting& setting);

}  // namespace attest
