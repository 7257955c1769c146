#pragma once

#include "proofs_check/claims/claim.hpp"

#include <string_view>
#include <vector>

namespace attest {

/// The claims that speak of what people write as "Lemma 2.3", "theorem 2.2", "A.3", "lemma_2_3" or
/// "yau2024/lemma_a3": its kind and number stand in a claim's place or id, in any case, with any
/// separators. Nothing for a name without a number.
[[nodiscard]] std::vector<const Claim*> claims_about(std::string_view written,
                                                     const std::vector<const Claim*>& claims);

}  // namespace attest
