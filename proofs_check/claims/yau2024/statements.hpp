#pragma once

#include "proofs_check/claims/claim.hpp"

namespace attest::yau2024 {

// One function a file of this folder. proofs_check/claims/catalogue.cpp lists them.
[[nodiscard]] Claim introduction_second_moment();
[[nodiscard]] Claim definition_2_1();
[[nodiscard]] Claim lemma_2_3();
[[nodiscard]] Claim equation_14();
[[nodiscard]] Claim equation_19();
[[nodiscard]] Claim equation_33();
[[nodiscard]] Claim corollary_a4();
[[nodiscard]] Claim lemma_a5();
[[nodiscard]] Claim lemma_a7();
[[nodiscard]] Claim lemma_f1();
[[nodiscard]] Claim lemma_b1();
[[nodiscard]] Claim lemma_a8();
[[nodiscard]] Claim corollary_f3();
[[nodiscard]] Claim algorithm_3();
[[nodiscard]] Claim algorithm_7();

}  // namespace attest::yau2024
