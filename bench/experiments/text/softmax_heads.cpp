#include "bench/experiments/text/softmax_heads.hpp"

#include "core/base/error.hpp"
#include "core/rng/sample.hpp"

#include <cmath>

namespace attest {

namespace {

using ConstMap = Eigen::Map<const Matrix>;
using Map = Eigen::Map<Matrix>;

/// Attention of one head to the tokens of one sequence.
Vector attention(const ConstMap& Q, const Matrix& Z) {
    Vector weights =
        Z.transpose() * (Q * Z.col(Z.cols() - 1)) / std::sqrt(static_cast<double>(Z.rows()));
    weights = (weights.array() - weights.maxCoeff()).exp().matrix();
    return weights / weights.sum();
}

}  // namespace

SoftmaxHeads::SoftmaxHeads(const PrefixData<double>& data, Index num_heads)
    : TrainedModel<double>(data), d_(data.d), o_(data.o), num_heads_(num_heads) {
    require(data.labelled == 1 && num_heads >= 1,
            "SoftmaxHeads: got {} heads and {} labels a sequence, expected some and one",
            num_heads,
            data.labelled);
}

Vector SoftmaxHeads::start(const Stream& stream) const {
    return grid_matrix(grid_normal(), num_parameters(), 1, stream) /
           std::sqrt(static_cast<double>(d_));
}

Matrix SoftmaxHeads::outputs(const Vector& theta, const PrefixData<double>& data) const {
    Matrix y = Matrix::Zero(o_, data.num_sequences);
    for (Index i = 0; i < data.num_sequences; ++i) {
        const Matrix Z = data.sequence(i);
        const double* at = theta.data();
        for (Index h = 0; h < num_heads_; ++h, at += (o_ + d_) * d_) {
            const Vector read = Z * attention(ConstMap(at + o_ * d_, d_, d_), Z);
            y.col(i) += ConstMap(at, o_, d_) * read;
        }
    }
    return y;
}

Vector SoftmaxHeads::gradient(const Vector& theta, std::span<const Index> sequences) const {
    Vector result = Vector::Zero(theta.size());
    const double weight = 2.0 / (static_cast<double>(sequences.size()) * data().label_power);
    const double root = std::sqrt(static_cast<double>(d_));
    for (const Index i : sequences) {
        const Matrix Z = data().sequence(i);
        std::vector<Vector> weights;
        Vector residual = -data().labels(i);
        const double* at = theta.data();
        for (Index h = 0; h < num_heads_; ++h, at += (o_ + d_) * d_) {
            weights.push_back(attention(ConstMap(at + o_ * d_, d_, d_), Z));
            residual += ConstMap(at, o_, d_) * (Z * weights.back());
        }
        residual *= weight;
        at = theta.data();
        double* to = result.data();
        for (Index h = 0; h < num_heads_; ++h, at += (o_ + d_) * d_, to += (o_ + d_) * d_) {
            const Vector& a = weights[static_cast<std::size_t>(h)];
            Map(to, o_, d_) += residual * (Z * a).transpose();
            // Through the softmax: its Jacobian is diag(a) − a aᵀ.
            const Vector back = Z.transpose() * (ConstMap(at, o_, d_).transpose() * residual);
            const Vector logits = a.cwiseProduct((back.array() - a.dot(back)).matrix()) / root;
            Map(to + o_ * d_, d_, d_) += (Z * logits) * Z.col(Z.cols() - 1).transpose();
        }
    }
    return result;
}

double SoftmaxHeads::loss(const Vector& theta, const PrefixData<double>& data) const {
    return (outputs(theta, data) - data.y).squaredNorm() /
           (static_cast<double>(data.num_sequences) * data.label_power);
}

}  // namespace attest
