#pragma once

// Three empirical risk minimisers of the same traces of a universal Turing machine: the exact basic
// one, the one of least norm in double, and a random one (a Gaussian point moved to the nearest
// minimiser). Each is fed its own tokens, as printed or rounded to integers.
//
// Expected outcome: on certified runs all agree with the simulator, up to rounding error; on others
// they differ from it and from each other. Fed back unrounded, the errors of the doubles grow until
// tokens are wrong; rounded to integers they never appear. The exact one needs no rounding.

#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Cases: number of training runs × minimiser × repetition.
[[nodiscard]] Experiment make_float_minimisers(Profile profile, std::uint64_t seed);

/// One line for each number of runs and minimiser, medians over repetitions.
[[nodiscard]] std::string float_minimisers_text(const std::vector<Row>& rows);

/// tables/float_minimisers.{csv,md}.
[[nodiscard]] std::vector<std::filesystem::path> derive_float_minimisers(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest
