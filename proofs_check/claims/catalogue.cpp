#include "proofs_check/claims/registry.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"

#include <array>

namespace attest {

std::span<const Claim> claims() {
    static const std::array kClaims{
        yau2024::introduction_second_moment(),
        yau2024::definition_2_1(),
        yau2024::lemma_2_3(),
        yau2024::equation_14(),
        yau2024::equation_19(),
        yau2024::equation_33(),
        yau2024::corollary_a4(),
        yau2024::lemma_a5(),
        yau2024::lemma_a7(),
        yau2024::lemma_f1(),
        yau2024::lemma_b1(),
        yau2024::lemma_a8(),
        yau2024::corollary_f3(),
        yau2024::algorithm_3(),
        yau2024::algorithm_7(),
    };
    return kClaims;
}

}  // namespace attest
