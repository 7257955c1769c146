#pragma once

#include "bench/experiments/frame/last_problem.hpp"
#include "core/rng/stream.hpp"
#include "record/derive/derived.hpp"
#include "record/row.hpp"
#include "tasks/task.hpp"

#include <memory>
#include <string>
#include <vector>

namespace attest {

/// Limits and exponents by labels and token dimension.
[[nodiscard]] std::string sample_complexity_text(const std::vector<Row>& rows);

/// Tables sample_complexity and sample_complexity_slopes, figure sample_complexity.
[[nodiscard]] Derived sample_complexity_derived(const std::vector<Row>& rows);

/// One distribution of labelled sequences with Gaussian entries; the samples are taken from it.
struct SamplingSetting {
    std::string labels;  ///< noise: a planted layer and noise; softmax; token_cubic
    Index d = 4;         ///< also the number of outputs
    Index repetition = 0;
    Index reference_size = 0;  ///< softmax: examples that stand for the population
    std::uint64_t seed = 0;

    friend bool operator==(const SamplingSetting&, const SamplingSetting&) = default;
};

inline constexpr Index kSamplingTokens = 8;
inline constexpr double kSamplingNoise = 1.0;

/// A distribution with what its population says.
struct SamplingProblem {
    std::unique_ptr<Task> task;
    Matrix Lambda;                 ///< second moment of the features, ψ×ψ
    Matrix best;                   ///< ψ×o, the minimiser of the population risk
    double floor = 0.0;            ///< its risk, the least of all layers
    double reference_error = 0.0;  ///< expected excess risk of `best` itself, if it was estimated
    double limit = 0.0;  ///< of N·excess for N → ∞: E[‖r‖² HᵀΛ⁻¹H], r = y − bestᵀH
    double limit_error = 0.0;  ///< standard error of `limit`, 0 where it has a closed form
};

/// Sequences and labels depend on seed, labels, d and repetition only.
[[nodiscard]] SamplingProblem sampling_problem(const SamplingSetting& setting);

using SamplingProblems = LastProblem<SamplingSetting, SamplingProblem>;

/// The stream of a setting's data.
[[nodiscard]] Stream sampling_stream(const SamplingSetting& setting);

}  // namespace attest
