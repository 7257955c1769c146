#pragma once

#include "core/algebra/minimum_eigenvalue.hpp"
#include "core/moments/triangular_factor.hpp"

#include <optional>

namespace attest {

/// The spectrum of Λ_D as floating point sees it. Proves nothing: the word for it is *numerical*.
struct NumericalSpectrum {
    double lambda_min =
        0.0;  ///< smallest eigenvalue of Λ_D in Algorithm 2's features; exactly 0 when N < ψ
    double lambda_max = 0.0;
    double trace = 0.0;
    Index rank = 0;  ///< singular values of H/√N above `threshold`
    Index psi = 0;
    double threshold = 0.0;  ///< max(N,ψ)·ε·σ_max
    Vector sigma;            ///< singular values of H/√N, descending; min(N,ψ) of them
    int exponent = 0;  ///< σ and threshold are to be multiplied by 2^exponent, eigenvalues and
                       ///< trace by 2^(2·exponent); 0 where doubles hold them

    [[nodiscard]] Index nullity() const { return psi - rank; }

    /// |λ_min − the true one| where singular values are within t = threshold: t(2σ_ψ + t).
    [[nodiscard]] double lambda_min_bound() const {
        return sigma.size() < psi ? 0.0 : threshold * (2.0 * sigma(psi - 1) + threshold);
    }

    /// Of H on its numerical row space; 0 at rank 0.
    [[nodiscard]] double condition() const { return rank > 0 ? sigma(0) / sigma(rank - 1) : 0.0; }
};

/// Singular values of the streamed factor R, RᵀR = Λ_D: relative accuracy ε·σ_max in σ, so that
/// λ_min is resolved down to (ψ·ε)²·λ_max; eigenvalues of a formed Λ_D would stop at ψ·ε·λ_max.
[[nodiscard]] NumericalSpectrum numerical_spectrum(const TriangularFactor& factor);

/// The same of examples of any size, with the exponent.
[[nodiscard]] NumericalSpectrum numerical_spectrum(const ScaledFactor& scaled);

/// The largest and the smallest singular value of H/√N alone.
struct ExtremeSingularValues {
    double largest = 0.0;
    double smallest = 0.0;
};

/// By the Lanczos process on RᵀR and on its inverse: products of 2ψ² flops, some dozens of them,
/// where all singular values take O(ψ³). Nothing where the smallest is less than twice the
/// threshold of NumericalSpectrum, where N < ψ, or where a process does not converge: the spectrum
/// has to say then.
[[nodiscard]] std::optional<ExtremeSingularValues> extreme_singular_values(
    const TriangularFactor& factor);

/// λ_min(Λ_D) alone: structured second moment, packed Cholesky, inverse Lanczos; Nψ²/2 + ψ³/3 flops
/// and 6ψ² bytes. Numerical, and resolved down to about ψ·ε·λ_max only: where the second moment is
/// not numerically positive definite, value 0 and not converged. Throws InvalidInput without
/// examples, EnvironmentFailure when the memory does not suffice.
[[nodiscard]] EigenvalueEstimate minimum_eigenvalue(const MomentSource& source, int threads);

/// Features that leave the row space of the data by no more than this share of their length lie in
/// it. It is far above rounding (about ψ·ε·cond) and far below what independent data leave.
constexpr double kOutsideShare = 1e-8;

/// Leverage lev(Z) = H(Z)ᵀ Λ_D⁺ H(Z), in floating point: how far equally good models may differ at
/// Z. Two models whose training risks are at most ε, L* the least possible, differ there by at most
/// 2√((ε − L*)·lev(Z)) (Lemma A.7, corrected: squared norm, factor 4, L* subtracted). The mean
/// leverage over the training examples is the rank.
class NumericalLeverage {
public:
    /// Inverts the numerical row space of the factor: singular values above max(N,ψ)·ε·σ_max.
    explicit NumericalLeverage(const TriangularFactor& factor);

    /// Leverage of every example of a source; infinite where H(Z) leaves the numerical row space by
    /// more than kOutsideShare of its length. O(N ψ²).
    [[nodiscard]] Vector of(const MomentSource& queries) const;

    /// tr(Λ_queries Λ_D⁺) = the mean leverage of the queries. With label noise of variance σ² in
    /// each of o outputs, the expected excess risk of least squares on the queries is σ²·o·trace/N.
    [[nodiscard]] double mean(const MomentSource& queries) const;

    /// Numerical rank of Λ_D.
    [[nodiscard]] Index rank() const { return basis_.cols(); }

private:
    Matrix basis_;    ///< right singular vectors of the row space, ψ×r
    Vector inverse_;  ///< 1/σ_i, r
};

/// A number that ‖Πζ‖² exceeds with probability at most `delta`, for `degrees` = rank·o coordinates
/// of the projection Π of independent sub-Gaussian noise ζ of scale `sigma`:
/// σ²(r + 2√(r·t) + 2t), t = log(1/δ) (Hsu, Kakade, Zhang 2012). By Cauchy–Schwarz the minimiser is
/// then within √(‖Πζ‖²/N · lev(Z)) of the truth at every Z at once (Lemma E.2, corrected).
[[nodiscard]] double projected_noise_bound(double sigma, double degrees, double delta);

/// tr((P − Q)ᵀ Λ (P − Q)) = E‖PᵀH − QᵀH‖², Λ = E[H Hᵀ]. When Q minimises the population risk this
/// is the excess risk of P. P and Q are ψ×o, Λ is ψ×ψ.
[[nodiscard]] double squared_distance(const Matrix& P, const Matrix& Q, const Matrix& Lambda);

/// The law of least squares' error under Gaussian label noise, given the design: a weighted sum of
/// independent χ²₁ variables, o for each eigenvalue of σ² Λ_D^(−1/2) Λ Λ_D^(−1/2)/N.
struct NoiseExcess {
    double mean = 0.0;       ///< σ²·o·tr(Λ Λ_D⁻¹)/N
    double deviation = 0.0;  ///< standard deviation, √2 times the weights' Euclidean norm
    double largest = 0.0;    ///< the largest weight

    /// Bounds that are left with probability e^−t each (Laurent and Massart 2000, lemma 1).
    [[nodiscard]] double lower(double t) const;
    [[nodiscard]] double upper(double t) const;
};

/// The design is the factor's, RᵀR = Λ_D of rank ψ; errors are measured by Λ, the second moment of
/// whatever distribution is asked about. Throws InvalidInput when Λ_D is numerically singular.
[[nodiscard]] NoiseExcess noise_excess(const TriangularFactor& factor,
                                       const Matrix& Lambda,
                                       double sigma,
                                       Index outputs);

}  // namespace attest
