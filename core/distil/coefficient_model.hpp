#pragma once

#include "core/data/moment_source.hpp"
#include "core/train/trained_model.hpp"

namespace attest {

/// Examples of any layer of the family in the form that trainers read: a sequence of one token, the
/// state s above the query features u. The loss is in units of the labels' power, as ever.
[[nodiscard]] PrefixData<double> moment_data(const MomentSource& source);

/// The coefficients P of any layer in training, θ = P column by column: ∂loss/∂P = c Σ_i H_i r_iᵀ.
/// Every coordinate of s and u counts in units of its root mean square on the training data, so
/// that one rate serves them all.
class CoefficientModel final : public TrainedModel<double> {
public:
    /// `data` is moment_data of a source with these features; it must outlive the model. Throws
    /// InvalidInput where the sizes disagree.
    CoefficientModel(const PrefixData<double>& data, const FeatureLayout& layout);

    [[nodiscard]] Index num_parameters() const override { return layout_.psi() * o_; }

    /// Independent entries of variance 1/ψ.
    [[nodiscard]] Vector start(const Stream& stream) const override;
    [[nodiscard]] Vector gradient(const Vector& theta,
                                  std::span<const Index> sequences) const override;
    [[nodiscard]] double loss(const Vector& theta, const PrefixData<double>& data) const override;

    /// Mean ‖s ⊗ u‖² in these units: the trace of the features' second moment.
    [[nodiscard]] double feature_power() const { return feature_power_; }

private:
    /// Columns of moment_data, scaled.
    [[nodiscard]] MomentBatch in_units(const Matrix& tokens) const;

    FeatureLayout layout_;
    Index o_;
    Vector units_;  ///< q + m: what s and u are divided by
    double feature_power_ = 0.0;
};

}  // namespace attest
