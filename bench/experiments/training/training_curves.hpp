#pragma once

#include "record/figure/figure.hpp"
#include "record/row.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace attest {

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
