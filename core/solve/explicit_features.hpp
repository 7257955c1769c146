#pragma once

#include "core/algebra/dense_least_squares.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/solve/problem.hpp"

#include <string_view>

namespace attest {

// Library drivers on the explicit N×ψ features, in the coordinates of options.norm, with √(N·ridge)
// times the identity below them where there is a ridge: the baselines. 16Nψ bytes and more. All are
// backward stable. Those that do not reveal the rank refuse numerically deficient features.

/// By any driver, as those below: refuses where its own factors are not those of the features.
[[nodiscard]] LeastSquaresFit fit_explicit(std::string_view name,
                                           DenseDriver driver,
                                           const MomentSource& source,
                                           const SolveOptions& options);

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

/// Cholesky on the second moment: (Λ + R·W²) P = cross moment, W the norm's weights. Needs cond(Λ)
/// below 1/ε: refuses when 1/cond₁ is under ψ·ε. Error by normal_equations_error; ψ³/3 flops.
[[nodiscard]] LeastSquaresFit fit_normal_equations(const Moments& moments,
                                                   const FeatureLayout& layout,
                                                   const SolveOptions& options);

/// Algorithm 1 as printed: min over W ∈ R^{od×d²} of Σ_i Σ_a (⟨W, X_{i,a}⟩ − y_{i,a})², the X of
/// Algorithm 8, least ‖W‖_F by the SVD of the No×od³ design matrix. Only for tiny d: the design is
/// formed. Returns P = p(W).
[[nodiscard]] LeastSquaresFit fit_literal(const MomentSource& source);

/// Bytes of the literal design matrix and its SVD.
[[nodiscard]] double literal_bytes(const SourceShape& shape);

}  // namespace attest
