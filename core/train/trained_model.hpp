#pragma once

#include "core/rng/stream.hpp"
#include "core/train/prefix_data.hpp"

#include <span>

namespace attest {

/// A model that gradient descent trains on prefixes: parameters θ as one vector, a loss, and the
/// gradient of it. The loss is the relative mean squared error Σ ‖ŷ − y‖² / (n · label_power), the
/// sum over the n examples of the sequences named; predicting 0 costs about 1.
template <class Scalar>
class TrainedModel {
public:
    /// The data must outlive the model.
    explicit TrainedModel(const PrefixData<Scalar>& data) : data_(data) {}

    TrainedModel(const TrainedModel&) = delete;
    TrainedModel& operator=(const TrainedModel&) = delete;
    TrainedModel(TrainedModel&&) = delete;
    TrainedModel& operator=(TrainedModel&&) = delete;
    virtual ~TrainedModel() = default;

    [[nodiscard]] virtual Index num_parameters() const = 0;

    /// Sequences to train on.
    [[nodiscard]] Index num_sequences() const { return data_.num_sequences; }

    /// Where training starts; a pure function of the stream.
    [[nodiscard]] virtual VectorOf<Scalar> start(const Stream& stream) const = 0;
    /// Gradient of the loss on these training sequences.
    [[nodiscard]] virtual VectorOf<Scalar> gradient(const VectorOf<Scalar>& theta,
                                                    std::span<const Index> sequences) const = 0;
    /// The loss on other data of the same shape, from the residuals, relative to those data's own
    /// label power. Infinite or NaN where the model's outputs are.
    [[nodiscard]] virtual double loss(const VectorOf<Scalar>& theta,
                                      const PrefixData<Scalar>& data) const = 0;

protected:
    [[nodiscard]] const PrefixData<Scalar>& data() const { return data_; }

private:
    const PrefixData<Scalar>& data_;
};

}  // namespace attest
