#pragma once

#include "core/solve/problem.hpp"

namespace attest {

/// Least squares of sequences whose queries are few: d linearly independent query tokens u_g. With
/// P_a as a q×d matrix, y_a = s_iᵀ P_a u_g, so that each group of examples has a problem of q
/// unknowns c_g = P_a u_g of its own (gram64, or tsqr where that refuses), and P_a = [c_g]·U⁻¹.
/// N q² + d q³ flops where the others take N ψ² = N q² d². Error: the largest of the groups' bounds
/// times cond(U). Refuses ridge, other layers, prefixes, other numbers of queries, dependent ones,
/// and groups of deficient rank. fit_least_squares knows it as "grouped"; solvers() leaves it out,
/// since it refuses data of any other kind.
[[nodiscard]] LeastSquaresFit fit_grouped(const MomentSource& source, const SolveOptions& options);

}  // namespace attest
