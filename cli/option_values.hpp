#pragma once

#include "core/base/shape.hpp"

#include <CLI/CLI.hpp>

namespace attest::cli {

// What a numeric option takes. Each refuses everything else with one line that names the value and
// the expectation, "--to: got '0', expected an integer from 1 to 1000000", and shows its range in
// the help.

[[nodiscard]] CLI::Validator integer_within(Index lowest, Index highest);

/// A seed: an integer from 0 to 2^64 − 1.
[[nodiscard]] CLI::Validator seed_number();

/// A finite number within both ends.
[[nodiscard]] CLI::Validator number_within(double lowest, double highest);

/// A finite number from 0.
[[nodiscard]] CLI::Validator number_from_zero();

}  // namespace attest::cli
