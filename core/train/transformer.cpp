#include "core/train/transformer.hpp"

#include "core/base/parallel.hpp"
#include "core/rng/sample.hpp"
#include "core/train/residuals.hpp"
#include "core/train/transformer_passes.hpp"

#include <algorithm>
#include <vector>

namespace attest {

namespace {

/// Sequences whose gradients one thread adds up: fixed, so that the sum is the same whatever the
/// number of threads.
constexpr Index kChunk = 4;

}  // namespace

template <class Scalar>
Transformer<Scalar>::Transformer(const PrefixData<Scalar>& data,
                                 TransformerShape shape,
                                 int threads)
    : TrainedModel<Scalar>(data),
      shape_([&] {
          shape.d = data.d;
          shape.o = data.o;
          shape.length = data.length;
          return shape;
      }()),
      layout_(shape_),
      threads_(threads) {
    require_every_prefix(data, "transformer");
}

template <class Scalar>
VectorOf<Scalar> Transformer<Scalar>::start(const Stream& stream) const {
    VectorOf<Scalar> theta(layout_.size);
    for (std::size_t i = 0; i < layout_.all.size(); ++i) {
        const ParameterBlock& block = layout_.all[i];
        const Matrix entries =
            grid_matrix(grid_normal(), block.rows, block.cols, stream.child(static_cast<Index>(i)));
        block_of(theta, block) =
            (entries.array() * block.deviation + block.mean).template cast<Scalar>();
    }
    return theta;
}

template <class Scalar>
VectorOf<Scalar> Transformer<Scalar>::gradient(const VectorOf<Scalar>& theta,
                                               std::span<const Index> sequences) const {
    const Scalar weight = residual_weight(this->data(), static_cast<Index>(sequences.size()));
    const TransformerPasses<Scalar> passes(theta, layout_, shape_.heads);
    const auto count = static_cast<Index>(sequences.size());
    const Index chunks = (count + kChunk - 1) / kChunk;
    std::vector<VectorOf<Scalar>> parts(static_cast<std::size_t>(chunks));
    parallel_for(chunks, threads_, [&](Index chunk) {
        VectorOf<Scalar> sum = VectorOf<Scalar>::Zero(layout_.size);
        for (Index k = chunk * kChunk; k < std::min(count, (chunk + 1) * kChunk); ++k) {
            const Index i = sequences[static_cast<std::size_t>(k)];
            const MatrixOf<Scalar> Z = this->data().sequence(i);
            const TransformerTrace<Scalar> trace = passes.forward(Z);
            sum = passes.backward(
                std::move(sum), trace, Z, weight * (trace.outputs - this->data().labels(i)));
        }
        parts[static_cast<std::size_t>(chunk)] = std::move(sum);
    });
    VectorOf<Scalar> gradient = VectorOf<Scalar>::Zero(layout_.size);
    for (const VectorOf<Scalar>& part : parts) {
        gradient += part;
    }
    return gradient;
}

template <class Scalar>
double Transformer<Scalar>::loss(const VectorOf<Scalar>& theta,
                                 const PrefixData<Scalar>& data) const {
    const TransformerPasses<Scalar> passes(theta, layout_, shape_.heads);
    Vector errors(data.num_sequences);
    parallel_for(data.num_sequences, threads_, [&](Index i) {
        const MatrixOf<Scalar> residual = passes.forward(data.sequence(i)).outputs - data.labels(i);
        errors(i) = residual.template cast<double>().squaredNorm();
    });
    double sum = 0.0;
    for (Index i = 0; i < data.num_sequences; ++i) {
        sum += errors(i);
    }
    return sum / (static_cast<double>(data.y.cols()) * data.label_power);
}

template class Transformer<float>;
template class Transformer<double>;

}  // namespace attest
