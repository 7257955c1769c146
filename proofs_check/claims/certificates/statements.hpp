#pragma once

#include "proofs_check/claims/claim.hpp"

namespace attest::certificates {

// One function a file of this folder. proofs_check/claims/catalogue.cpp lists them.
[[nodiscard]] Claim few_outside();
[[nodiscard]] Claim coverage_of_draws();
[[nodiscard]] Claim explained();
[[nodiscard]] Claim probing();
[[nodiscard]] Claim inexpressible();

}  // namespace attest::certificates
