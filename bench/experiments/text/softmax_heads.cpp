#include "bench/experiments/text/softmax_heads.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/data/sources/moments.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/rng/sample.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace attest {

namespace {

constexpr Index kSubspace = 12;
constexpr Index kMostSteps = 60;
constexpr double kSettled = 1e-10;

/// The last of what `measure` makes of the subspace as `step` is applied to it, once it settles.
double settled(Index size,
               const std::function<Matrix(const Matrix&)>& step,
               const std::function<double(const Matrix&)>& measure) {
    const Index width = std::min(size, kSubspace);
    Matrix X = thin_qr(grid_matrix(grid_normal(), size, width, Stream(0).child("subspace"))).Q;
    double value = measure(X);
    for (Index k = 0; k < kMostSteps; ++k) {
        X = thin_qr(step(X)).Q;
        const double next = measure(X);
        const bool done = std::abs(next - value) <= kSettled * next;
        value = next;
        if (done) {
            break;
        }
    }
    return value;
}

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

FeatureSpectrum spectrum_by_eigenvalues(const Dataset& data) {
    const Vector eigenvalues =
        symmetric_eigenvalues(structured_moments(DatasetSource(data), {}).Lambda);
    const Index psi = eigenvalues.size();
    const double largest = eigenvalues(psi - 1);
    // Weyl: the eigenvalues of a matrix that is off by ψ·ε·λ_max are off by no more.
    return {eigenvalues(0),
            largest,
            static_cast<double>(psi) * std::numeric_limits<double>::epsilon() * largest};
}

FeatureSpectrum spectrum_by_factor(const Dataset& data) {
    CholeskyFactor factor{triangular_factor(DatasetSource(data)).R.transpose(), true, 1.0};
    const Matrix& L = factor.L;
    const Index psi = L.rows();
    const double smallest = settled(
        psi,
        [&](const Matrix& X) { return cholesky_solve(factor, X); },
        [&](const Matrix& X) { return singular_values(L.transpose() * X).minCoeff(); });
    const double largest = settled(
        psi,
        [&](const Matrix& X) -> Matrix { return L * (L.transpose() * X).eval(); },
        [&](const Matrix& X) { return singular_values(L.transpose() * X).maxCoeff(); });
    const double off = static_cast<double>(psi) * std::numeric_limits<double>::epsilon() * largest;
    return {smallest * smallest, largest * largest, off * (2.0 * smallest + off)};
}

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
