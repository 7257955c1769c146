#pragma once

#include "proofs_check/claims/claim.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::readers {

/// Five sequences of a single token (x_1, x_2): S_12 z_1 = S_11 z_2 and S_12 z_2 = S_22 z_1 on
/// each, so rank 4 of 6.
[[nodiscard]] Dataset single_tokens();

/// y = S_11 z_2: the head (e_1', E_12) of one output.
[[nodiscard]] RationalParameters square_truth();

/// Adds the solvers behind `attest learn --ridge` on these, against the exact normal equations.
void check_ridge_solvers(Evidence& evidence);

}  // namespace attest::readers
