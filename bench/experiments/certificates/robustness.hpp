#pragma once

#include "bench/experiments/frame/last_problem.hpp"
#include "core/certify/numerical/spectrum.hpp"
#include "core/data/dataset.hpp"
#include "core/rng/stream.hpp"
#include "record/derive/derived.hpp"
#include "record/row.hpp"
#include "tasks/conditioned_data.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attest {

struct RobustnessSetting {
    Violation violation = Violation::signs;
    double degree = 1.0;
    Index d = 4;  ///< also the number of outputs
    Index n = 8;
    Index N = 4000;
    double sigma = 0.5;  ///< standard deviation of the label noise
    Index repetition = 0;
    std::uint64_t seed = 0;

    friend bool operator==(const RobustnessSetting&, const RobustnessSetting&) = default;

    [[nodiscard]] Stream stream() const;
};

/// Training data with noisy labels of two planted heads, reduced to what learners need; out of
/// distribution means independent standard normal entries.
struct RobustnessProblem {
    Matrix truth;             ///< ψ×o
    TriangularFactor factor;  ///< of the training data
    NumericalSpectrum spectrum;
    Matrix elsewhere;    ///< second moment of standard normal entries, ψ×ψ
    Matrix fresh;        ///< second moment of 4000 fresh sequences of the same distribution
    Dataset validation;  ///< 1000 fresh sequences with noisy labels
    std::optional<NoiseExcess> predicted;  ///< out of distribution; only at full numerical rank
};

/// Draws the data and reduces them.
[[nodiscard]] RobustnessProblem robustness_problem(const RobustnessSetting& setting);

using RobustnessProblems = LastProblem<RobustnessSetting, RobustnessProblem>;

/// Medians by violation and degree, and how well the prediction does.
[[nodiscard]] std::string robustness_text(const std::vector<Row>& rows);

/// Tables robustness and robustness_prediction, figure robustness.
[[nodiscard]] Derived robustness_derived(const std::vector<Row>& rows);

}  // namespace attest
