#pragma once

#include "core/train/trained_model.hpp"
#include "core/train/transformer_layout.hpp"

namespace attest {

/// A causal pre-LN transformer: tokens through a linear map plus learned positions; in each layer
/// x ← x + O·attention(LN x), x ← x + down·gelu(up·LN x + b) + b′; outputs from the last layer norm
/// by a linear map. gelu in its tanh form, x·σ(2√(2/π)(x + 0.044715x³)).
template <class Scalar>
class Transformer final : public TrainedModel<Scalar> {
public:
    /// d, o and length of the shape are the data's. Results do not depend on the number of threads.
    Transformer(const PrefixData<Scalar>& data, TransformerShape shape, int threads = 1);

    [[nodiscard]] Index num_parameters() const override { return layout_.size; }

    [[nodiscard]] VectorOf<Scalar> start(const Stream& stream) const override;
    /// Reverse mode, sequence by sequence: about three times the cost of the outputs.
    [[nodiscard]] VectorOf<Scalar> gradient(const VectorOf<Scalar>& theta,
                                            std::span<const Index> sequences) const override;
    [[nodiscard]] double loss(const VectorOf<Scalar>& theta,
                              const PrefixData<Scalar>& data) const override;

private:
    TransformerShape shape_;
    TransformerLayout layout_;
    int threads_;
};

extern template class Transformer<float>;
extern template class Transformer<double>;

}  // namespace attest
