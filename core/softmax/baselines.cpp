#include "core/softmax/baselines.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/rng/sample.hpp"
#include "core/softmax/net_search.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace attest {

namespace {

constexpr double kBeta1 = 0.9;
constexpr double kBeta2 = 0.999;
constexpr double kEpsilon = 1e-8;

/// Adam's moving averages for one matrix.
struct Moments {
    Matrix mean;
    Matrix square;

    /// The step for this gradient at step t ≥ 1.
    Matrix step(const Matrix& gradient, double rate, Index t) {
        mean = kBeta1 * mean + (1.0 - kBeta1) * gradient;
        square = kBeta2 * square + (1.0 - kBeta2) * gradient.cwiseAbs2();
        const auto power = static_cast<double>(t);
        const double c1 = 1.0 - std::pow(kBeta1, power);
        const double c2 = 1.0 - std::pow(kBeta2, power);
        return (-rate * (mean.array() / c1) / ((square.array() / c2).sqrt() + kEpsilon)).matrix();
    }
};

}  // namespace

std::vector<Matrix> random_thetas(Index d, Index m, double norm, const Stream& stream) {
    std::vector<Matrix> thetas;
    for (Index i = 0; i < m; ++i) {
        const Matrix Theta = grid_matrix(grid_normal(), d, d, stream.child(i));
        thetas.emplace_back(Theta * (norm / Theta.norm()));
    }
    return thetas;
}

SoftmaxFit fit_from_random(
    const SoftmaxExamples& examples, Index m, double norm, Index starts, const Stream& stream) {
    require(m >= 1 && starts >= 1, "fit_from_random: expected at least one head and one start");
    SoftmaxFit best;
    for (Index i = 0; i < starts; ++i) {
        SoftmaxFit fit = polish(
            random_thetas(examples.d(), m, norm, stream.child(i)), examples, polish_control());
        if (i == 0 || fit.relative_error < best.relative_error) {
            best = std::move(fit);
        }
        if (best.end == FitEnd::target || best.end == FitEnd::interrupted) {
            break;
        }
    }
    return best;
}

SoftmaxHeads error_gradient(const SoftmaxHeads& heads, const SoftmaxExamples& examples) {
    const Index d = examples.d();
    const Index k = examples.k;
    const double scale = -2.0 / static_cast<double>(examples.count());
    const Matrix residual = examples.Y - softmax_attention(heads, examples.X, k);
    SoftmaxHeads gradient;
    for (const SoftmaxHead& head : heads) {
        SoftmaxHead part{Matrix::Zero(d, d), Matrix::Zero(d, d)};
        for (Index i = 0; i < examples.count(); ++i) {
            const Matrix X = examples.X.middleCols(i * k, k);
            const Matrix R = residual.middleCols(i * k, k);
            const Matrix P = attention_weights(head.Theta, X);
            part.W.noalias() += (X * P) * R.transpose();
            // Column a of V: the values x_jᵀ W r_a, then their slopes in the logits.
            const Matrix V = X.transpose() * (head.W * R);
            const Eigen::RowVectorXd means = P.cwiseProduct(V).colwise().sum();
            const Matrix slopes = P.cwiseProduct(V.rowwise() - means);
            part.Theta.noalias() += X * (X * slopes).transpose();
        }
        gradient.push_back({scale * part.Theta, scale * part.W});
    }
    return gradient;
}

SoftmaxFit fit_by_adam(const SoftmaxExamples& examples,
                       Index m,
                       const AdamOptions& options,
                       const Stream& stream) {
    check(examples);
    require(m >= 1 && options.steps >= 1, "fit_by_adam: expected at least one head and one step");
    const Index d = examples.d();
    SoftmaxFit fit;
    std::vector<Moments> theta_moments;
    std::vector<Moments> value_moments;
    const Moments none{Matrix::Zero(d, d), Matrix::Zero(d, d)};
    const std::vector<Matrix> thetas =
        random_thetas(d, m, options.start_norm, stream.child("Theta"));
    for (Index i = 0; i < m; ++i) {
        const Matrix W = grid_matrix(grid_normal(), d, d, stream.child("W").child(i));
        fit.heads.push_back(
            {thetas[static_cast<std::size_t>(i)], W / std::sqrt(static_cast<double>(d))});
        theta_moments.push_back(none);
        value_moments.push_back(none);
    }
    for (Index t = 1; t <= options.steps; ++t) {
        throw_if_interrupted("fit_by_adam");
        const double done = static_cast<double>(t - 1) / static_cast<double>(options.steps);
        const double rate = options.rate * 0.5 * (1.0 + std::cos(std::numbers::pi * done));
        const SoftmaxHeads gradient = error_gradient(fit.heads, examples);
        for (std::size_t i = 0; i < fit.heads.size(); ++i) {
            fit.heads[i].Theta += theta_moments[i].step(gradient[i].Theta, rate, t);
            fit.heads[i].W += value_moments[i].step(gradient[i].W, rate, t);
        }
    }
    fit.iterations = options.steps;
    fit.relative_error = relative_error(fit.heads, examples);
    return fit;
}

}  // namespace attest
