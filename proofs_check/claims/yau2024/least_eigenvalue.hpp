#pragma once

#include "proofs_check/claims/claim.hpp"

namespace attest::yau2024 {

/// Adds what is known in closed form of the least eigenvalue of the population Λ: (n−1) m2³ for
/// d = 3, and for two rows of normal entries the cubic of which it is the root.
void check_least_eigenvalue(Evidence& evidence, const ClaimContext& context);

}  // namespace attest::yau2024
