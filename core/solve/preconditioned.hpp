#pragma once

#include "core/algebra/lapack.hpp"
#include "core/data/sources/moments.hpp"
#include "core/solve/iterative.hpp"
#include "core/solve/problem.hpp"

namespace attest {

/// Structured second moment and packed Cholesky in double, then refinement: the factor
/// preconditions conjugate gradients on the features, which are never formed. In whitened
/// coordinates where there are tokens and no ridge. Nψ²/2 + ψ³/3 flops and 4Nψo a step, 6ψ² bytes
/// and the moments. Error as of a backward stable solver while cond(H)² < 1/ε; refuses beyond.
[[nodiscard]] LeastSquaresFit fit_gram64(const MomentSource& source, const SolveOptions& options);

/// The same with second moment and factor in single precision, labels, gradients and coefficients
/// in double: half the time and memory, the same error while cond(H)² < 2²⁴; refuses beyond.
[[nodiscard]] LeastSquaresFit fit_gram32(const MomentSource& source, const SolveOptions& options);

/// A_s = Σ s sᵀ and A_u = Σ u uᵀ, factored: their Kronecker product stands for Σ H Hᵀ.
struct KroneckerFactors {
    CholeskyFactor s;
    CholeskyFactor u;
    double norm1 = 0.0;  ///< of their Kronecker product

    /// Whether either Cholesky factor may be that of another matrix altogether.
    [[nodiscard]] bool singular_to_rounding() const;

    /// (A_s ⊗ A_u)⁻¹ g for every column g of G, read as the m×q matrix with entry (l, p).
    [[nodiscard]] Matrix solve(const Matrix& G) const;
};

/// From the lower triangles of A_s and A_u. (q³ + m³)/3 flops.
[[nodiscard]] KroneckerFactors kronecker_factors(const Matrix& ss, const Matrix& uu);

/// Those of all examples, in one pass.
[[nodiscard]] KroneckerFactors kronecker_factors(const MomentSource& source);

/// Conjugate gradients on the features, preconditioned by (Σ s sᵀ) ⊗ (Σ z zᵀ)/N: nothing of size ψ²
/// anywhere. Coordinates and error as gram64; about 46 to 170 iterations of
/// 4Nψ(o + 3) flops on well-conditioned data, refuses when more than 2000 do not suffice. 16q²
/// bytes and the moments.
[[nodiscard]] LeastSquaresFit fit_kronecker(const MomentSource& source,
                                            const SolveOptions& options);

/// (Σ s sᵀ) ⊗ (Σ z zᵀ)/N of N examples from its factors, which must outlive it.
[[nodiscard]] Preconditioner kronecker_preconditioner(const KroneckerFactors& factors, Index N);

/// Examples that a sketch has, over ψ: conjugate gradients then gain a factor of √(1/4) a step.
inline constexpr double kSketchedExamples = 4.0;

/// Sketch and precondition (Rokhlin and Tygert 2008; Martinsson and Tropp 2020, §10.5): 4ψ sums of
/// examples, each example with a random sign in eight of them (Nelson and Nguyen 2013), or all
/// examples where they are no more; the factor of its QR preconditions conjugate gradients on all
/// examples. At N ≫ ψ fewer flops than a QR of all examples, more than a second moment. About 8Nψ +
/// 16ψ³ flops, 50 iterations of 4Nψo, 104ψ² bytes and the moments. Coordinates and error as gram64;
/// refuses above a condition of 1e5 or so, where the iteration does not resolve its spread.
[[nodiscard]] LeastSquaresFit fit_sketched(const MomentSource& source, const SolveOptions& options);

}  // namespace attest
