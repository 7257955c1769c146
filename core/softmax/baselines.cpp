#include "core/softmax/baselines.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/rng/sample.hpp"
#include "core/softmax/net_search.hpp"
#include "core/train/optimiser.hpp"

#include <cmath>
#include <utility>

namespace attest {

namespace {

/// All entries of the heads in one column.
Vector flattened(const SoftmaxHeads& heads) {
    const Index d = heads.front().W.rows();
    Vector entries(2 * d * d * static_cast<Index>(heads.size()));
    Index at = 0;
    for (const SoftmaxHead& head : heads) {
        entries.segment(at, d * d) = head.Theta.reshaped();
        entries.segment(at + d * d, d * d) = head.W.reshaped();
        at += 2 * d * d;
    }
    return entries;
}

/// Heads of d rows with these entries.
SoftmaxHeads heads_of(const Vector& entries, Index d) {
    SoftmaxHeads heads;
    for (Index at = 0; at < entries.size(); at += 2 * d * d) {
        heads.push_back({entries.segment(at, d * d).reshaped(d, d),
                         entries.segment(at + d * d, d * d).reshaped(d, d)});
    }
    return heads;
}

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
    const std::vector<Matrix> thetas =
        random_thetas(d, m, options.start_norm, stream.child("Theta"));
    for (Index i = 0; i < m; ++i) {
        const Matrix W = grid_matrix(grid_normal(), d, d, stream.child("W").child(i));
        fit.heads.push_back(
            {thetas[static_cast<std::size_t>(i)], W / std::sqrt(static_cast<double>(d))});
    }
    Vector entries = flattened(fit.heads);
    Optimiser<double> adam({OptimiserKind::adam, options.rate}, entries.size());
    for (Index t = 0; t < options.steps; ++t) {
        throw_if_interrupted("fit_by_adam");
        entries = adam.step(std::move(entries),
                            flattened(error_gradient(heads_of(entries, d), examples)),
                            rate_factor(Schedule::cosine, t, options.steps));
    }
    fit.heads = heads_of(entries, d);
    fit.iterations = options.steps;
    fit.relative_error = relative_error(fit.heads, examples);
    return fit;
}

}  // namespace attest
