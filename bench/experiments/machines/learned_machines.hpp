#pragma once

// Section 5 of arXiv 2410.10101 on machines with a name: each belongs to a class of very many, of
// which a layer sees the first steps of random runs only. Does what it saw determine the whole run
// of the named machine, and does the layer print it?
//
// Expected outcome: busy beavers and the increment are certified and exact to their end, longer
// runs than any of the training set included; choosing runs actively takes a fraction.

#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Cases: machine × number of runs offered × choice × repetition.
[[nodiscard]] Experiment make_learned_machines(Profile profile, std::uint64_t seed);

/// One line for each machine, number and choice, medians over repetitions.
[[nodiscard]] std::string learned_machines_text(const std::vector<Row>& rows);

/// tables/learned_machines.{csv,md}.
[[nodiscard]] std::vector<std::filesystem::path> derive_learned_machines(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest
