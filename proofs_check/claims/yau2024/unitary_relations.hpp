#pragma once

#include "proofs_check/claims/claim.hpp"

namespace attest::yau2024 {

/// Adds what unitary sequences of the associative memory leave open: 2d(d²−1)/3 combinations of
/// features that vanish on all of them, orthogonal to the paper's teacher, and no more for d = 2.
void check_unitary_relations(Evidence& evidence, const ClaimContext& context);

}  // namespace attest::yau2024
