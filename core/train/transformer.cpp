#include "core/train/transformer.hpp"

#include "core/rng/sample.hpp"
#include "core/train/residuals.hpp"
#include "core/train/transformer_passes.hpp"

namespace attest {

template <class Scalar>
Transformer<Scalar>::Transformer(const PrefixData<Scalar>& data, TransformerShape shape)
    : data_(data),
      shape_([&] {
          shape.d = data.d;
          shape.o = data.o;
          shape.length = data.length;
          return shape;
      }()),
      layout_(shape_) {}

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
    const Scalar weight = residual_weight(data_, static_cast<Index>(sequences.size()));
    const TransformerPasses<Scalar> passes(theta, layout_, shape_.heads);
    VectorOf<Scalar> gradient = VectorOf<Scalar>::Zero(layout_.size);
    for (const Index i : sequences) {
        const MatrixOf<Scalar> Z = data_.sequence(i);
        const TransformerTrace<Scalar> trace = passes.forward(Z);
        gradient = passes.backward(
            std::move(gradient), trace, Z, weight * (trace.outputs - data_.labels(i)));
    }
    return gradient;
}

template <class Scalar>
double Transformer<Scalar>::loss(const VectorOf<Scalar>& theta,
                                 const PrefixData<Scalar>& data) const {
    const TransformerPasses<Scalar> passes(theta, layout_, shape_.heads);
    double sum = 0.0;
    for (Index i = 0; i < data.num_sequences; ++i) {
        const MatrixOf<Scalar> residual = passes.forward(data.sequence(i)).outputs - data.labels(i);
        sum += residual.template cast<double>().squaredNorm();
    }
    return sum / (static_cast<double>(data.y.cols()) * data.label_power);
}

template class Transformer<float>;
template class Transformer<double>;

}  // namespace attest
