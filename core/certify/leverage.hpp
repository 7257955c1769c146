#pragma once

#include "core/moments/triangular_factor.hpp"

namespace attest {

/// Leverage lev(Z) = H(Z)ᵀ Λ_D⁺ H(Z), in floating point: how far equally good models may differ at
/// Z. Two models whose training risks are at most ε, L* the least possible, differ there by at most
/// 2√((ε − L*)·lev(Z)) (Lemma A.7, corrected: squared norm, factor 4, L* subtracted). The mean
/// leverage over the training examples is the rank.
class NumericalLeverage {
public:
    /// Inverts the numerical row space of the factor: singular values above max(N,ψ)·ε·σ_max.
    explicit NumericalLeverage(const TriangularFactor& factor);

    /// Leverage of every example of a source; infinite where H(Z) leaves the numerical row space by
    /// more than 1e-8 of its length. O(N ψ²).
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

}  // namespace attest
