#pragma once

#include "proofs_check/claims/claim.hpp"

namespace attest::readers {

// Questions that readers of a paper ask and that it makes no statement about. `printed` holds the
// question; no finding has Form::printed. One function a file of this folder.
// proofs_check/claims/catalogue.cpp lists them.
[[nodiscard]] Claim out_of_distribution();
[[nodiscard]] Claim error_elsewhere();
[[nodiscard]] Claim ridge();
[[nodiscard]] Claim single_head();
[[nodiscard]] Claim approximate_features();
[[nodiscard]] Claim polynomial_cost();
[[nodiscard]] Claim real_text();
[[nodiscard]] Claim real_text_rank();

}  // namespace attest::readers
