#pragma once

#include "core/data/dataset.hpp"
#include "core/train/trained_model.hpp"

namespace attest {

/// The ends of the spectrum of Λ_D, in double precision. The features have full rank.
struct FeatureSpectrum {
    double lambda_min = 0.0;
    double lambda_max = 0.0;
    double error = 0.0;  ///< of lambda_min, by rounding
};

/// Eigenvalues of Λ: off by ψ·ε·λ_max. Nψ² + 4ψ³/3 flops.
[[nodiscard]] FeatureSpectrum spectrum_by_eigenvalues(const Dataset& data);

/// Subspace iteration with the triangular factor R of the features, Λ = RᵀR: squares of singular
/// values off by ψ·ε·√λ_max, so that far smaller eigenvalues are seen. 3Nψ² flops and two triangles
/// of ψ² doubles; iterations of O(ψ²).
[[nodiscard]] FeatureSpectrum spectrum_by_factor(const Dataset& data);

/// One layer of H softmax heads without anything around it: y = Σ_h V_h Z softmax(ZᵀQ_h z/√d), the
/// parameters of linear attention with as many heads. θ is V_1, Q_1, V_2, … column-major. For
/// labels at the ends of sequences.
class SoftmaxHeads final : public TrainedModel<double> {
public:
    SoftmaxHeads(const PrefixData<double>& data, Index num_heads);

    [[nodiscard]] Index num_parameters() const override { return num_heads_ * (o_ + d_) * d_; }

    /// Independent entries of variance 1/d.
    [[nodiscard]] Vector start(const Stream& stream) const override;
    [[nodiscard]] Vector gradient(const Vector& theta,
                                  std::span<const Index> sequences) const override;
    [[nodiscard]] double loss(const Vector& theta, const PrefixData<double>& data) const override;

    /// Outputs at the ends of all sequences, o×N.
    [[nodiscard]] Matrix outputs(const Vector& theta, const PrefixData<double>& data) const;

private:
    Index d_;
    Index o_;
    Index num_heads_;
};

}  // namespace attest
