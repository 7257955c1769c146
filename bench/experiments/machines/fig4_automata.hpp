#pragma once

// Figure 4 of arXiv 2410.10101: learning to simulate every deterministic automaton, against the
// number of states Q, letters V and the length L of words, the others at 4 (3 in the quick
// profile). The paper trains a transformer and reports the tokens it needs for 99 % next-token
// accuracy. Here the learner is the exact minimiser of one linear-attention layer on the two-token
// schema.
//
// Expected outcome: tokens grow polynomially in each of Q, V, L, as the rank of the features does,
// which cannot exceed psi = d·d(d+1)/2: all three curves stay within a small factor of it. Nothing
// certified is wrong.

#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Cases: one size varied × its value × repetition, the one where nothing is varied first; and the
/// paper's five-token schema once, at 4, 4, 4.
[[nodiscard]] Experiment make_fig4(Profile profile, std::uint64_t seed);

/// One line for each shape, medians over repetitions.
[[nodiscard]] std::string fig4_text(const std::vector<Row>& rows);

/// tables/fig4.{csv,md}, figures/fig4.svg.
[[nodiscard]] std::vector<std::filesystem::path> derive_fig4(const std::vector<Row>& rows,
                                                             const std::filesystem::path& folder);

}  // namespace attest
