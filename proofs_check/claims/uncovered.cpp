#include "proofs_check/claims/registry.hpp"

#include <array>

namespace attest {

std::span<const UncoveredStatement> uncovered_statements() {
    static constexpr std::array kStatements{
        UncoveredStatement{
            "yau2024/theorem_2_2_sample_size",
            "Theorem 2.2",
            "excess risk below eps from O((d^4 + log 1/delta)/eps) samples, measured"},
        UncoveredStatement{"yau2024/figure_2b",
                           "Figure 2 (b)",
                           "gradient descent on heads finds the truth at lambda_min near 0.06"},
        UncoveredStatement{"yau2024/figure_4", "Figure 4", "tokens to learn automata"},
    };
    return kStatements;
}

}  // namespace attest
