#pragma once

#include "proofs_check/claims/claim.hpp"

namespace attest::yau2024 {

// One function a file of this folder. proofs_check/claims/catalogue.cpp lists them.
[[nodiscard]] Claim introduction_second_moment();
[[nodiscard]] Claim definition_2_1();
[[nodiscard]] Claim algorithm_1();
[[nodiscard]] Claim theorem_2_2_training();
[[nodiscard]] Claim theorem_2_2_distribution_free();
[[nodiscard]] Claim theorem_2_2_bounded_leverage();
[[nodiscard]] Claim theorem_2_2_realisable();
[[nodiscard]] Claim theorem_2_2_sufficient();
[[nodiscard]] Claim theorem_2_2_statistics();
[[nodiscard]] Claim theorem_2_2_minimum();
[[nodiscard]] Claim theorem_2_2_heads();
[[nodiscard]] Claim theorem_2_2_running_time();
[[nodiscard]] Claim head_recovery();
[[nodiscard]] Claim algorithm_2();
[[nodiscard]] Claim lemma_2_3();
[[nodiscard]] Claim teaching_set_of_psi();
[[nodiscard]] Claim erm_equivalence();
[[nodiscard]] Claim equation_7();
[[nodiscard]] Claim equation_14();
[[nodiscard]] Claim equation_19();
[[nodiscard]] Claim equation_25();
[[nodiscard]] Claim equation_33();
[[nodiscard]] Claim section_4_1_rank();
[[nodiscard]] Claim section_6_feature_maps();
[[nodiscard]] Claim definition_g2();
[[nodiscard]] Claim figure_1_many_heads();
[[nodiscard]] Claim figure_1_more_heads();
[[nodiscard]] Claim figure_2a();
[[nodiscard]] Claim figure_2b();
[[nodiscard]] Claim figure_4_exact_learner();
[[nodiscard]] Claim figure_3();
[[nodiscard]] Claim corollary_a4();
[[nodiscard]] Claim lemma_a5();
[[nodiscard]] Claim lemma_a5_samples();
[[nodiscard]] Claim lemma_a6();
[[nodiscard]] Claim surjectivity_d2();
[[nodiscard]] Claim lemma_a7();
[[nodiscard]] Claim lemma_a8();
[[nodiscard]] Claim lemma_a8_literal();
[[nodiscard]] Claim lemma_a8_traces();
[[nodiscard]] Claim lemma_e1();
[[nodiscard]] Claim lemma_e2();
[[nodiscard]] Claim algorithm_7();
[[nodiscard]] Claim algorithm_8();
[[nodiscard]] Claim lemma_f1();
[[nodiscard]] Claim lemma_f1_printed();
[[nodiscard]] Claim lemma_b1();
[[nodiscard]] Claim lemma_b1_overwriting();
[[nodiscard]] Claim corollary_f3();
[[nodiscard]] Claim algorithm_3();

}  // namespace attest::yau2024
