#pragma once

#include "core/algebra/matrix.hpp"

#include <vector>

namespace attest {

/// The `keep` subsets of m of the M blocks whose least-squares fit explains most, best first. G is
/// the (M·d)×(M·d) Gram matrix of the blocks, b their (M·d)×o products with the target; a subset
/// explains tr(b_Sᵀ G_S⁻¹ b_S). Choosing a block projects it out of the later ones, so a subset
/// costs about 3d³ flops beyond its parent. Ties go to the lexicographically first subset.
[[nodiscard]] std::vector<std::vector<Index>> best_tuples(
    const Matrix& G, const Matrix& b, Index d, Index m, Index keep);

}  // namespace attest
