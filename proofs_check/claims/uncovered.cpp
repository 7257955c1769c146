#include "proofs_check/claims/registry.hpp"

#include <array>

namespace attest {

std::span<const UncoveredStatement> uncovered_statements() {
    static constexpr std::array kStatements{
        UncoveredStatement{"yau2024/figure_2b",
                           "Figure 2 (b)",
                           "gradient descent on heads finds the truth at lambda_min near 0.06"},
    };
    return kStatements;
}

}  // namespace attest
