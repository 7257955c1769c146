#pragma once

#include "bench/experiments/frame/last_problem.hpp"
#include "core/data/dataset.hpp"
#include "core/train/train.hpp"
#include "record/experiment.hpp"
#include "record/figure/figure.hpp"
#include "record/row.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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

/// A learner that gradient descent trains, and how.
struct TrainedLearner {
    std::string name = "heads";  ///< heads, layers or transformer
    Index size = 1;              ///< number of heads or of layers
    double rate = 0.01;
    Index batch_size = 32;
    Index updates = 6400;
    std::string precision = "double";  ///< or "float"
};

/// Trains by Adam with half a cosine to 0. Metrics: relative mean squared errors train_relative and
/// held_out_relative after the last update, updates done, diverged (0 or 1), training_seconds,
/// preparation_seconds (moments of the data), and the curve as loss_000000, loss_000016, …: the
/// held-out error after so many updates. Heads are trained through moments up to d = 4, beyond
/// through residuals. A training that diverged says so in the message, too.
[[nodiscard]] Case training_case(const TrainingSetting& setting,
                                 const TrainedLearner& learner,
                                 const std::shared_ptr<TrainingProblems>& problems);

/// Algorithm 1 on the first sequences only: QR, then the SVD into heads, errors of the heads.
/// Metrics: train_relative, held_out_relative, training_seconds.
[[nodiscard]] Case algorithm_1_case(const TrainingSetting& setting,
                                    Index sequences,
                                    const std::shared_ptr<TrainingProblems>& problems);

/// How many sequences Algorithm 1 gets: one where its prefixes determine the coefficients, enough
/// for 2ψ prefixes, and all where ψ is below 300; ascending and distinct.
[[nodiscard]] std::vector<Index> algorithm_1_sequences(const TrainingSetting& setting);

/// What a training curve is drawn against.
enum class TrainingAxis : std::uint8_t { epochs, updates, seconds };

/// "1 head", "4 layers", "transformer", "Algorithm 1".
[[nodiscard]] std::string learner_title(const Row& row);

/// The sizes d that occur, ascending.
[[nodiscard]] std::vector<std::int64_t> training_sizes(const std::vector<Row>& rows);

/// Held-out error of every learner at this d, the main protocol only (batch 32; rate 0.01, a
/// transformer 0.001): geometric mean over seeds, its standard error shaded. Algorithm 1 is a
/// horizontal line, or named in the title where it lies far below every curve; against seconds it
/// is points as well.
[[nodiscard]] Panel training_panel(const std::vector<Row>& rows, std::int64_t d, TrainingAxis axis);

/// Final held-out error of every seed at this d against the number of heads: main protocol, all
/// seeds as points, medians as a line, Algorithm 1 and d² heads as guides.
[[nodiscard]] Panel heads_panel(const std::vector<Row>& rows, std::int64_t d);

}  // namespace attest
