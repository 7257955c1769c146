#pragma once

#include "core/data/dataset.hpp"
#include "core/data/sources/moments.hpp"
#include "core/train/train.hpp"
#include "core/train/trained_model.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// What is trained in place of the closed form.
enum class ContenderForm : std::uint8_t {
    heads,         ///< V and Q of as many heads as give every function: `linear`, one length
    coefficients,  ///< P, every other layer
};
[[nodiscard]] std::string_view to_string(ContenderForm form);

struct ContenderRequest {
    Index starts = 3;  ///< of each optimiser; 0: none is trained
    Index updates = 3000;
    Index batch_size = 32;
    std::uint64_t seed = 0;
};

/// The best training from one random start, on the loss that least squares minimises.
struct Contender {
    ContenderForm form = ContenderForm::coefficients;
    OptimiserKind optimiser = OptimiserKind::adam;
    Index start = 0;
    double rate = 0.0;      ///< of the best one
    Index rates_tried = 1;  ///< more than one where the usual rate failed
    TrainStatus status = TrainStatus::finished;
    std::string note = {};
    std::optional<double> relative_risk = {};      ///< on the training data; absent if it diverged
    std::optional<double> held_out_relative = {};  ///< absent without held-out data

    /// It diverged, or zeros are as good: its rate, start or updates are at fault, not the layer.
    [[nodiscard]] bool failed() const { return !relative_risk || *relative_risk >= 1.0; }
};

/// What train_contenders is estimated to take at the usual rates on the machine of AuditSize, in
/// seconds: six products a feature, output and example of every update; of heads also the sums of
/// the tokens, and heads made coefficients and back.
[[nodiscard]] double training_seconds(const Dataset& data, const ContenderRequest& request);

/// Adam (rate 0.01) and SGD with momentum, cosine schedules, from `starts` random starts each, on
/// labelled data of any layer; `held_out` may be null. SGD's rate is a fifth of the inverse trace
/// of the second moment where P is trained, 0.001 where heads are. A start that fails is trained
/// again at a tenth, ten times and a hundredth of that rate, until one does not. Throws
/// InvalidInput where all labels are zero, Interrupted as train.
[[nodiscard]] std::vector<Contender> train_contenders(const Dataset& data,
                                                      const Dataset* held_out,
                                                      const ContenderRequest& request);

}  // namespace attest
