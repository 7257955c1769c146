#include "proofs_check/claims/registry.hpp"

#include <array>

namespace attest {

std::span<const UncoveredStatement> uncovered_statements() {
    static constexpr std::array kStatements{
        UncoveredStatement{
            "yau2024/theorem_2_2_sample_size",
            "Theorem 2.2",
            "excess risk below eps from O((d^4 + log 1/delta)/eps) samples, measured"},
        UncoveredStatement{
            "yau2024/lemma_b1", "Lemma B.1", "a universal Turing machine, its size and length"},
        UncoveredStatement{"yau2024/lemma_c5",
                           "Lemma C.5",
                           "learned histories differ with probability O(eps Phi)"},
        UncoveredStatement{
            "yau2024/corollary_f3", "Corollary F.3", "Lemma C.5 for the universal machine"},
        UncoveredStatement{
            "yau2024/lemma_f1", "Lemma F.1", "a program is a layer, one head a lookup"},
        UncoveredStatement{"yau2024/algorithm_3", "Algorithm 3", "autoregressive programs"},
        UncoveredStatement{"yau2024/algorithm_4", "Algorithm 4", "the primitive Copy"},
        UncoveredStatement{"yau2024/algorithm_5", "Algorithm 5", "the primitive If-Then"},
        UncoveredStatement{"yau2024/algorithm_6", "Algorithm 6", "the universal machine's program"},
        UncoveredStatement{"yau2024/figure_1", "Figure 1", "more heads converge faster"},
        UncoveredStatement{"yau2024/figure_2b",
                           "Figure 2 (b)",
                           "gradient descent on heads finds the truth at lambda_min near 0.06"},
        UncoveredStatement{"yau2024/figure_3", "Figure 3", "more layers do not help consistently"},
        UncoveredStatement{"yau2024/figure_4", "Figure 4", "tokens to learn automata"},
    };
    return kStatements;
}

}  // namespace attest
