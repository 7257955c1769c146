#pragma once

#include "core/algebra/minimum_eigenvalue.hpp"
#include "core/data/sources/moments.hpp"

namespace attest {

/// Both ends of the spectrum of Λ_D as seen by products with the features alone. Proves nothing.
struct OperatorSpectrum {
    EigenvalueEstimate least;  ///< 0 and converged where N < ψ, or s or u alone are deficient
    double lambda_max = 0.0;   ///< within a tenth of a per cent or so
    double threshold = 0.0;    ///< max(N,ψ)·ε·λ_max: rounding hides what is below
    int exponent = 0;  ///< eigenvalues, error and threshold are to be multiplied by 2^(2·exponent)

    [[nodiscard]] bool is_full_rank() const { return least.value - least.error > threshold; }

    [[nodiscard]] bool is_deficient() const { return least.converged && !is_full_rank(); }
};

/// λ_min(Λ_D) and λ_max with nothing of size ψ² anywhere: preconditioned by (Σ s sᵀ) ⊗ (Σ u uᵀ) as
/// the solver kron. Some tens to hundreds of products of 4Nψ flops; 16q² bytes, the moments where
/// they fit, and ten vectors. Throws EnvironmentFailure when the memory does not suffice.
[[nodiscard]] OperatorSpectrum operator_spectrum(const MomentSource& source);

}  // namespace attest
