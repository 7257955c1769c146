#include "proofs_check/claims/certificates/statements.hpp"
#include "proofs_check/claims/chen_li2024/statements.hpp"
#include "proofs_check/claims/family/statements.hpp"
#include "proofs_check/claims/fewest_heads/statements.hpp"
#include "proofs_check/claims/in_context/statements.hpp"
#include "proofs_check/claims/readers/questions.hpp"
#include "proofs_check/claims/registry.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"

#include <array>

namespace attest {

// A table, one line for each claim: its length is no complexity.
// NOLINTNEXTLINE(readability-function-size)
std::span<const Claim> claims() {
    static const std::array kClaims{
        yau2024::introduction_second_moment(),
        yau2024::definition_2_1(),
        yau2024::algorithm_1(),
        yau2024::theorem_2_2_training(),
        yau2024::theorem_2_2_distribution_free(),
        yau2024::theorem_2_2_bounded_leverage(),
        yau2024::theorem_2_2_realisable(),
        yau2024::theorem_2_2_sufficient(),
        yau2024::theorem_2_2_statistics(),
        yau2024::theorem_2_2_minimum(),
        yau2024::theorem_2_2_heads(),
        yau2024::theorem_2_2_running_time(),
        yau2024::head_recovery(),
        yau2024::algorithm_2(),
        yau2024::lemma_2_3(),
        yau2024::teaching_set_of_psi(),
        yau2024::erm_equivalence(),
        yau2024::equation_7(),
        yau2024::equation_14(),
        yau2024::equation_19(),
        yau2024::equation_25(),
        yau2024::equation_33(),
        yau2024::section_4_1_rank(),
        yau2024::figure_1_many_heads(),
        yau2024::figure_1_more_heads(),
        yau2024::figure_2a(),
        yau2024::figure_2b(),
        yau2024::figure_3(),
        yau2024::figure_4_exact_learner(),
        yau2024::section_6_feature_maps(),
        yau2024::corollary_a4(),
        yau2024::lemma_a5(),
        yau2024::lemma_a5_samples(),
        yau2024::lemma_a6(),
        yau2024::surjectivity_d2(),
        yau2024::lemma_a7(),
        yau2024::lemma_a8(),
        yau2024::lemma_a8_literal(),
        yau2024::lemma_a8_traces(),
        yau2024::lemma_e1(),
        yau2024::lemma_e2(),
        yau2024::algorithm_7(),
        yau2024::algorithm_8(),
        yau2024::lemma_f1(),
        yau2024::lemma_b1(),
        yau2024::lemma_b1_overwriting(),
        yau2024::corollary_f3(),
        yau2024::algorithm_3(),
        yau2024::definition_g2(),
        chen_li2024::guarantee(),
        chen_li2024::crude_sum_bias(),
        chen_li2024::rows_injective(),
        chen_li2024::least_norm_identity(),
        chen_li2024::rarity_exponent(),
        chen_li2024::exponential_dependence(),
        chen_li2024::random_heads(),
        chen_li2024::structured_heads(),
        chen_li2024::continuous_inputs(),
        fewest_heads::d_squared_never_needed(),
        fewest_heads::counting_bound_table(),
        fewest_heads::identifiable(),
        fewest_heads::planted_recovery(),
        fewest_heads::deficient_data(),
        fewest_heads::two_or_six_tensors(),
        family::decay_rank(),
        family::decay_lambda_min(),
        family::unknown_decay(),
        family::cross_attention(),
        family::affine_lengths(),
        family::degree_rank(),
        family::recorded_gates(),
        family::normalised_head(),
        family::learned_maps(),
        family::cross_entropy(),
        in_context::zhang_theorem_4_1(),
        in_context::zhang_theorem_4_2(),
        in_context::ahn_theorem_1(),
        in_context::mahankali_one_step(),
        in_context::lu_test_error(),
        in_context::masked_rank(),
        in_context::several_heads(),
        in_context::ridge_is_noise(),
        certificates::few_outside(),
        certificates::coverage_of_draws(),
        readers::out_of_distribution(),
        readers::error_elsewhere(),
        readers::ridge(),
        readers::single_head(),
        readers::approximate_features(),
        readers::polynomial_cost(),
        readers::real_text(),
        readers::real_text_rank(),
    };
    return kClaims;
}

}  // namespace attest
