#pragma once

#include "core/exact/scalars.hpp"

#include <vector>

namespace attest {

/// The elementary divisors d_1 | d_2 | … | d_r > 0 of an integer matrix of rank r, its Smith form:
/// all are 1 iff the lattice of its rows is the whole of Z^n in their span. For square regular
/// matrices their product is |det A|. By FLINT, each block by itself where the matrix is a direct
/// sum; fast where the determinant is small, for others up to a hundred rows.
[[nodiscard]] std::vector<Integer> elementary_divisors(const MatrixOf<Integer>& A);

}  // namespace attest
