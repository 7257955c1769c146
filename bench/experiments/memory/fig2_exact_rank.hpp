#pragma once

#include "record/experiment.hpp"

#include <vector>

namespace attest {

/// Cases that prove the rank of associative-memory data over Q, on rational orthogonal keys and
/// values: learner "exact_rank"; metrics d (of the keys), psi, num_unitary, num_gaussian, rank,
/// nullity, proved (1 or 0).
[[nodiscard]] std::vector<Case> fig2_exact_rank_cases(std::uint64_t seed);

}  // namespace attest
