#include "core/softmax/value_sum.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/softmax/sculpt.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace attest {

namespace {

constexpr Choices<CrudeEstimator, 2> kCrudeEstimatorNames{
    {{CrudeEstimator::all_pairs, "all_pairs"}, {CrudeEstimator::off_diagonal, "off_diagonal"}}};

constexpr double kRankTolerance = 1e-10;
constexpr Index kDoublings = 3;
constexpr Index kMostRows = 20000;
constexpr Index kMostAnnealedRows = 50000;

/// Tokens (d×h) and labels (d×h) of rows.
struct Rows {
    Matrix tokens;
    Matrix labels;
};

/// Minimum-norm W of least Σ ‖y − Wᵀ x‖², and the coverage of the tokens.
RefinedSum fit(const Rows& rows) {
    const Svd s = svd(rows.tokens.transpose());
    Vector inverse = Vector::Zero(s.sigma.size());
    for (Index i = 0; i < s.sigma.size(); ++i) {
        if (s.sigma(i) > kRankTolerance * s.sigma(0)) {
            inverse(i) = 1.0 / s.sigma(i);
        }
    }
    RefinedSum sum;
    sum.rows = rows.tokens.cols();
    sum.W = s.V * inverse.asDiagonal() * (s.U.transpose() * rows.labels.transpose());
    if (rows.tokens.cols() >= rows.tokens.rows()) {
        sum.coverage = s.sigma(s.sigma.size() - 1) / std::sqrt(static_cast<double>(sum.rows));
    }
    return sum;
}

Rows columns(const Rows& rows, const std::vector<Index>& chosen) {
    return {rows.tokens(Eigen::all, chosen), rows.labels(Eigen::all, chosen)};
}

/// The `count` columns that fit best, ascending.
std::vector<Index> best_fitting(const Rows& rows, const Matrix& W, Index count) {
    const Vector residuals = (rows.labels - W.transpose() * rows.tokens).colwise().squaredNorm();
    std::vector<Index> order(static_cast<std::size_t>(residuals.size()));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(
        order.begin(), order.end(), [&](Index a, Index b) { return residuals(a) < residuals(b); });
    order.resize(static_cast<std::size_t>(count));
    std::sort(order.begin(), order.end());
    return order;
}

RefinedSum trimmed_fit(const Rows& rows, const Matrix& start, const TrimmedOptions& options) {
    const auto count =
        std::max<Index>(std::min(rows.tokens.cols(), rows.tokens.rows()),
                        static_cast<Index>(options.keep * static_cast<double>(rows.tokens.cols())));
    std::vector<Index> chosen = best_fitting(rows, start, count);
    RefinedSum sum = fit(columns(rows, chosen));
    for (Index i = 1; i < options.iterations; ++i) {
        std::vector<Index> next = best_fitting(rows, sum.W, count);
        if (next == chosen) {
            break;
        }
        chosen = std::move(next);
        sum = fit(columns(rows, chosen));
    }
    return sum;
}

/// The rows of largest margin of the proxy, with the token that it prefers.
Rows rows_by_margin(const SoftmaxSource& source, const Matrix& proxy, Index count) {
    const Index d = source.d;
    const Index k = source.k;
    BestRows best(count, 2 * d);
    for_each_block(source, [&](const SoftmaxExamples& block, Index first) {
        const Matrix keys = proxy.transpose() * block.X;
        Vector scores(k);
        for (Index column = 0; column < block.X.cols(); ++column) {
            const Index i = column / k;
            scores.noalias() = block.X.middleCols(i * k, k).transpose() * keys.col(column);
            Index j = 0;
            const double highest = scores.maxCoeff(&j);
            scores(j) = -std::numeric_limits<double>::infinity();
            const BestRows::Key key{scores.maxCoeff() - highest, first + i, column % k, j, 0};
            if (best.accepts(key)) {
                Eigen::Map<Vector> payload(best.keep(key), 2 * d);
                payload << block.X.col(i * k + j), block.Y.col(column);
            }
        }
    });
    const Matrix payloads = best.sorted().payloads;
    return {payloads.topRows(d), payloads.bottomRows(d)};
}

}  // namespace

std::string_view to_string(CrudeEstimator estimator) {
    return name_of(kCrudeEstimatorNames, estimator);
}

CrudeEstimator preferred_estimator(Index k) {
    return k <= 2 ? CrudeEstimator::all_pairs : CrudeEstimator::off_diagonal;
}

Matrix crude_sum(const SoftmaxSource& source, CrudeEstimator estimator) {
    const bool off_diagonal = estimator == CrudeEstimator::off_diagonal;
    require(source.k >= 2 || !off_diagonal,
            "crude_sum: off_diagonal got sequences of 1 token, expected at least 2");
    require(source.count >= 1, "crude_sum: got no examples, expected at least 1");
    Matrix sum = Matrix::Zero(source.d, source.d);
    for_each_block(source, [&](const SoftmaxExamples& block, Index /*first*/) {
        Matrix X(block.d(), block.count());
        Matrix Y(block.d(), block.count());
        for (Index i = 0; i < block.count(); ++i) {
            X.col(i) = block.X.middleCols(i * block.k, block.k).rowwise().sum();
            Y.col(i) = block.Y.middleCols(i * block.k, block.k).rowwise().sum();
        }
        sum += X * Y.transpose();
        if (off_diagonal) {
            sum -= block.X * block.Y.transpose();
        }
    });
    const Index weight = off_diagonal ? source.k - 1 : source.k;
    return sum / static_cast<double>(weight * source.count);
}

Matrix first_order_bias(const SoftmaxHeads& heads, Index k, double excess_kurtosis) {
    require(!heads.empty() && k >= 1, "first_order_bias: expected at least one head and one token");
    const Index d = heads.front().W.rows();
    const auto tokens = static_cast<double>(k);
    Matrix bias = Matrix::Zero(d, d);
    for (const SoftmaxHead& head : heads) {
        Matrix Theta = head.Theta;
        Theta.diagonal() *= 1.0 + excess_kurtosis / tokens;
        bias += Theta * head.W;
    }
    return (1.0 - 1.0 / tokens) * bias;
}

double label_scale(const SoftmaxSource& source) {
    double sum = 0.0;
    for_each_block(source, [&](const SoftmaxExamples& block, Index /*first*/) {
        sum += block.Y.squaredNorm();
    });
    return std::sqrt(sum / static_cast<double>(source.count * source.k));
}

RefinedSum refine_by_margin(const SoftmaxSource& source,
                            const Matrix& proxy,
                            const Matrix& start,
                            const TrimmedOptions& options) {
    require(source.k >= 2 && proxy.rows() == source.d && proxy.cols() == source.d,
            "refine_by_margin: expected k >= 2 and a d×d proxy");
    const Index all = source.count * source.k;
    const auto usual = std::min(
        kMostRows, std::max(8 * source.d, static_cast<Index>(0.004 * static_cast<double>(all))));
    Index rows = std::min(all, options.rows > 0 ? options.rows : usual);
    RefinedSum sum = trimmed_fit(rows_by_margin(source, proxy, rows), start, options);
    for (Index i = 0; i < kDoublings && sum.coverage < kLeastCoverage && 2 * rows <= all; ++i) {
        rows *= 2;
        sum = trimmed_fit(rows_by_margin(source, proxy, rows), start, options);
    }
    return sum;
}

RefinedSum refine_by_annealing(const SoftmaxSource& source,
                               const Matrix& start,
                               const AnnealingOptions& options) {
    require(options.rounds >= 2, "refine_by_annealing: expected at least 2 rounds");
    const double all = static_cast<double>(source.count * source.k);
    const auto last =
        static_cast<double>(options.last_rows > 0 ? options.last_rows : 6 * source.d * source.d);
    const double first = std::max(
        last, std::min(static_cast<double>(kMostAnnealedRows), options.first_fraction * all));
    RefinedSum sum{start, 0.0, 0};
    for (Index r = 0; r < options.rounds; ++r) {
        const double progress = static_cast<double>(r) / static_cast<double>(options.rounds - 1);
        SculptOptions sculpting;
        sculpting.mode = options.mode;
        sculpting.rows = static_cast<Index>(first * std::pow(last / first, progress));
        const SculptedRows rows = sculpt(source, sum.W, sculpting);
        if (rows.count() < source.d) {
            sum.coverage = 0.0;
            return sum;
        }
        sum = fit({rows.mixtures, rows.labels});
    }
    return sum;
}

RefinedSum anchor_sum(const SoftmaxSource& source) {
    const Index k = source.k;
    std::vector<double> tokens;
    std::vector<double> labels;
    for_each_block(source, [&](const SoftmaxExamples& block, Index /*first*/) {
        for (Index i = 0; i < block.count(); ++i) {
            const Matrix X = block.X.middleCols(i * k, k);
            if ((X.colwise() - X.col(0)).cwiseAbs().maxCoeff() > 0.0) {
                continue;
            }
            tokens.insert(tokens.end(), X.data(), X.data() + X.rows());
            labels.insert(
                labels.end(), block.Y.col(i * k).data(), block.Y.col(i * k).data() + X.rows());
        }
    });
    const auto count = static_cast<Index>(tokens.size()) / source.d;
    if (count == 0) {
        return {Matrix::Zero(source.d, source.d), 0.0, 0};
    }
    return fit({Eigen::Map<const Matrix>(tokens.data(), source.d, count),
                Eigen::Map<const Matrix>(labels.data(), source.d, count)});
}

}  // namespace attest
