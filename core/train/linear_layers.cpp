#include "core/train/linear_layers.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/rng/sample.hpp"
#include "core/train/prefix_data.hpp"
#include "core/train/residuals.hpp"

#include <cmath>

namespace attest {

template <class Scalar>
LinearLayers<Scalar>::LinearLayers(const PrefixData<Scalar>& data, Index num_layers)
    : TrainedModel<Scalar>(data), d_(data.d), o_(data.o), num_layers_(num_layers) {
    require(num_layers >= 1, "linear_layers: got {} layers, expected at least 1", num_layers);
    require_every_prefix(data, "linear_layers");
}

template <class Scalar>
Index LinearLayers<Scalar>::num_parameters() const {
    return offset(num_layers_ - 1) + (o_ + d_) * d_;
}

template <class Scalar>
VectorOf<Scalar> LinearLayers<Scalar>::start(const Stream& stream) const {
    const Matrix entries = grid_matrix(grid_normal(), num_parameters(), 1, stream);
    const Vector scaled = entries.col(0) / std::sqrt(static_cast<double>(d_));
    return scaled.cast<Scalar>();
}

template <class Scalar>
std::vector<typename LinearLayers<Scalar>::Trace> LinearLayers<Scalar>::forward(
    const VectorOf<Scalar>& theta, MatrixOf<Scalar> X) const {
    std::vector<Trace> traces;
    for (Index layer = 0; layer < num_layers_; ++layer) {
        const Index rows = outputs_of(layer);
        const ConstMap V(theta.data() + offset(layer), rows, d_);
        const ConstMap Q(theta.data() + offset(layer) + rows * d_, d_, d_);
        Trace trace;
        trace.U.noalias() = Q * X;
        trace.W = prefix_products<Scalar>(X, trace.U);
        trace.X = X;
        if (layer + 1 < num_layers_) {
            X.noalias() += V * trace.W;
        }
        traces.push_back(std::move(trace));
    }
    return traces;
}

template <class Scalar>
MatrixOf<Scalar> LinearLayers<Scalar>::last_outputs(const VectorOf<Scalar>& theta,
                                                    const std::vector<Trace>& traces) const {
    const ConstMap V(theta.data() + offset(num_layers_ - 1), o_, d_);
    return V * traces.back().W;
}

template <class Scalar>
void LinearLayers<Scalar>::add_gradient(VectorOf<Scalar>& gradient,
                                        const VectorOf<Scalar>& theta,
                                        const std::vector<Trace>& traces,
                                        MatrixOf<Scalar> output_cotangent) const {
    MatrixOf<Scalar>& A = output_cotangent;
    for (Index layer = num_layers_ - 1; layer >= 0; --layer) {
        const Trace& trace = traces[static_cast<std::size_t>(layer)];
        const Index rows = outputs_of(layer);
        const ConstMap V(theta.data() + offset(layer), rows, d_);
        const ConstMap Q(theta.data() + offset(layer) + rows * d_, d_, d_);
        Map of_V(gradient.data() + offset(layer), rows, d_);
        Map of_Q(gradient.data() + offset(layer) + rows * d_, d_, d_);
        of_V.noalias() += A * trace.W.transpose();
        const MatrixOf<Scalar> of_W = V.transpose() * A;
        const MatrixOf<Scalar> of_U = prefix_products<Scalar>(trace.X, of_W);
        of_Q.noalias() += of_U * trace.X.transpose();
        if (layer > 0) {
            MatrixOf<Scalar> of_X = suffix_products<Scalar>(of_W, trace.U, trace.X);
            of_X.noalias() += Q.transpose() * of_U;
            if (layer + 1 < num_layers_) {
                of_X += A;
            }
            A = std::move(of_X);
        }
    }
}

template <class Scalar>
VectorOf<Scalar> LinearLayers<Scalar>::gradient(const VectorOf<Scalar>& theta,
                                                std::span<const Index> sequences) const {
    const Scalar weight = residual_weight(this->data(), static_cast<Index>(sequences.size()));
    VectorOf<Scalar> gradient = VectorOf<Scalar>::Zero(num_parameters());
    for (const Index i : sequences) {
        const std::vector<Trace> traces = forward(theta, this->data().sequence(i));
        add_gradient(gradient,
                     theta,
                     traces,
                     weight * (last_outputs(theta, traces) - this->data().labels(i)));
    }
    return gradient;
}

template <class Scalar>
double LinearLayers<Scalar>::loss(const VectorOf<Scalar>& theta,
                                  const PrefixData<Scalar>& data) const {
    double sum = 0.0;
    for (Index i = 0; i < data.num_sequences; ++i) {
        const MatrixOf<Scalar> residual =
            last_outputs(theta, forward(theta, data.sequence(i))) - data.labels(i);
        sum += residual.template cast<double>().squaredNorm();
    }
    return sum / (static_cast<double>(data.y.cols()) * data.label_power);
}

template class LinearLayers<float>;
template class LinearLayers<double>;

}  // namespace attest
