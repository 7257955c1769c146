#pragma once

#include "tests/reference/rational.hpp"

namespace attest::reference {

/// Definition 2.1: Σ_h V_h Z (Zᵀ Q_h Z), o×n, entry by entry. V[h] is o×d, Q[h] is d×d, Z is d×n.
[[nodiscard]] Rows reference_attention(const std::vector<Rows>& V,
                                       const std::vector<Rows>& Q,
                                       const Rows& Z,
                                       std::size_t outputs);

/// Equations 41 and 42: the ψ×o coefficients, pairs j<k lexicographic with l fastest, then the
/// squares.
[[nodiscard]] Rows reference_coefficients(const std::vector<Rows>& V,
                                          const std::vector<Rows>& Q,
                                          std::size_t outputs,
                                          std::size_t d);

}  // namespace attest::reference
