#pragma once

#include "core/solve/problem.hpp"

namespace attest {

// Library drivers on the explicit N×ψ features, in the coordinates of options.norm, with √(N·ridge)
// times the identity below them where there is a ridge: the baselines. 16Nψ bytes and more. All are
// backward stable. Those that do not reveal the rank refuse numerically deficient features.

/// LAPACK's dgels (QR; N < ψ: LQ), dgelsy (pivoted QR), dgelsd (SVD).
[[nodiscard]] LeastSquaresFit fit_gels(const MomentSource& source, const SolveOptions& options);
[[nodiscard]] LeastSquaresFit fit_gelsy(const MomentSource& source, const SolveOptions& options);
[[nodiscard]] LeastSquaresFit fit_gelsd(const MomentSource& source, const SolveOptions& options);

/// Eigen's HouseholderQR (N ≥ ψ only), CompleteOrthogonalDecomposition, BDCSVD.
[[nodiscard]] LeastSquaresFit fit_eigen_householder(const MomentSource& source,
                                                    const SolveOptions& options);
[[nodiscard]] LeastSquaresFit fit_eigen_cod(const MomentSource& source,
                                            const SolveOptions& options);
[[nodiscard]] LeastSquaresFit fit_eigen_bdcsvd(const MomentSource& source,
                                               const SolveOptions& options);

}  // namespace attest
