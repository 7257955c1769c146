#pragma once

#include "core/data/moment_source.hpp"

namespace attest {

/// The N×ψ feature matrix of a source as a linear operator, never formed: products with packed S
/// and z by BLAS 3, 2Nψo flops each way. The source must outlive it.
class FeatureOperator {
public:
    explicit FeatureOperator(const MomentSource& source) : source_(source) {}

    /// Pᵀ H(Z_i) for every example: o×N. P is ψ×o.
    [[nodiscard]] Matrix apply(const Matrix& P) const;

    /// Σ H(Z_i) r_iᵀ: ψ×o. r is o×N.
    [[nodiscard]] Matrix apply_transposed(const Matrix& r) const;

    /// y_i − Pᵀ H(Z_i): o×N.
    [[nodiscard]] Matrix residual(const Matrix& P) const;

    /// The labels, o×N.
    [[nodiscard]] Matrix labels() const;

private:
    const MomentSource& source_;
};

/// √(Σ_i s_p² z_l²) maximised over the features: the longest column of H, at most ‖H‖₂.
[[nodiscard]] double longest_feature(const MomentSource& source);

}  // namespace attest
