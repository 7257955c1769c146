#pragma once

#include "bench/sweep/sweep_plan.hpp"
#include "record/configuration.hpp"
#include "record/derive/experiment_entry.hpp"

#include <optional>

namespace attest {

/// A sweep as an experiment: run, resumed, compared and reported as the built-in ones. Seed s of
/// the file draws from seed s + `seed`. Metrics of learners: psi, num_examples, train_relative,
/// held_out_relative, held_out_mse, rcond, unique, and where there are such error_bound, rank,
/// heads; seconds (wall). Metrics of certificates: psi, num_examples, rank, nullity, determined; of
/// level numerical also lambda_min and condition.
[[nodiscard]] ExperimentEntry sweep_entry(const SweepPlan& plan);

/// The sweep that wrote rows of this configuration; nothing where no sweep did.
[[nodiscard]] std::optional<ExperimentEntry> sweep_behind(const Configuration& configuration);

}  // namespace attest
