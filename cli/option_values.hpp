#pragma once

#include "core/base/choice.hpp"
#include "core/base/shape.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

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

/// A finite number above 0.
[[nodiscard]] CLI::Validator number_above_zero();

/// The names of an enumeration's values, for CLI::IsMember.
template <class Enum, std::size_t N>
[[nodiscard]] std::vector<std::string> names_of(const Choices<Enum, N>& choices) {
    std::vector<std::string> names;
    for (const Choice<Enum>& each : choices) {
        names.emplace_back(each.name);
    }
    return names;
}

}  // namespace attest::cli
