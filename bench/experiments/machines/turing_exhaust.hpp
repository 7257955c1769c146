#pragma once

// Section 5 of arXiv 2410.10101 claims that a universal Turing machine can be learned from
// computation histories (Lemma C.5). Here a class is exhausted: all two-state two-symbol machines,
// every word, every start cell.
//
// Expected outcome: a fraction of a per cent of the runs determines every printed token of all of
// them, the exact minimiser prints them all, and nothing certified is wrong; the same minimiser
// runs on beyond the budget that it was trained with.

#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Cases: class × number of training runs × repetition, at random and by active choice.
[[nodiscard]] Experiment make_turing_exhaust(Profile profile, std::uint64_t seed);

/// One line for each class, choice and number of training runs, medians over repetitions.
[[nodiscard]] std::string turing_exhaust_text(const std::vector<Row>& rows);

/// tables/turing_exhaust.{csv,md}, figures/turing_exhaust.svg.
[[nodiscard]] std::vector<std::filesystem::path> derive_turing_exhaust(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest
