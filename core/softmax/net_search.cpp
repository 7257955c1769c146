#include "core/softmax/net_search.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/matrix.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {

namespace {

double binomial(Index n, Index m) {
    double result = 1.0;
    for (Index i = 0; i < m; ++i) {
        result *= static_cast<double>(n - i) / static_cast<double>(i + 1);
    }
    return result;
}

Index default_points(Index m) {
    return m <= 1 ? 1 : m == 2 ? 41 : m == 3 ? 13 : 6;
}

// Neighbouring net points give nearly dependent blocks; this keeps their Cholesky factors real.
constexpr double kRidge = 1e-11;

using BlockFactor = Eigen::LLT<Matrix>;

/// Blocks first … M−1 with the blocks chosen so far projected out: Gram matrix and products.
struct Reduced {
    Index first;
    Matrix G;
    Matrix b;
};

class TupleSearch {
public:
    TupleSearch(Index d, Index m, Index keep, double ridge)
        : d_(d), m_(m), keep_(static_cast<std::size_t>(keep)), ridge_(ridge) {}

    void descend(const Reduced& at, double explained) {
        const Index blocks = at.G.rows() / d_;
        const Index left = m_ - static_cast<Index>(chosen_.size());
        for (Index i = 0; i + left <= blocks; ++i) {
            Matrix pivot = at.G.block(i * d_, i * d_, d_, d_);
            pivot.diagonal().array() += ridge_;
            const BlockFactor factor(pivot);
            const Matrix half = factor.matrixL().solve(at.b.middleRows(i * d_, d_));
            const double now = explained + half.squaredNorm();
            chosen_.push_back(at.first + i);
            if (left == 1) {
                record(now);
            } else if (left == 2) {
                throw_if_interrupted("net_search");
                finish(at, i, factor, half, now);
            } else {
                descend(project_out(at, i, factor, half), now);
            }
            chosen_.pop_back();
        }
    }

    [[nodiscard]] std::vector<std::vector<Index>> best() const {
        std::vector<std::vector<Index>> result;
        for (const auto& entry : best_) {
            result.push_back(entry.second);
        }
        return result;
    }

private:
    /// The last block: only its own pivot and products are needed, for every candidate.
    void finish(const Reduced& at,
                Index i,
                const BlockFactor& factor,
                const Matrix& half,
                double explained) {
        const Index after = at.G.rows() - (i + 1) * d_;
        const Matrix coupling = factor.matrixL().solve(at.G.block(i * d_, (i + 1) * d_, d_, after));
        Matrix pivot(d_, d_);
        Matrix b(d_, at.b.cols());
        Eigen::LLT<Matrix> last(d_);
        for (Index j = 0; j < after / d_; ++j) {
            const auto X = coupling.middleCols(j * d_, d_);
            const Index at_j = (i + 1 + j) * d_;
            pivot = at.G.block(at_j, at_j, d_, d_);
            pivot.noalias() -= X.transpose().lazyProduct(X);
            pivot.diagonal().array() += ridge_;
            b = at.b.middleRows(at_j, d_);
            b.noalias() -= X.transpose().lazyProduct(half);
            last.compute(pivot);
            last.matrixL().solveInPlace(b);
            chosen_.push_back(at.first + i + 1 + j);
            record(explained + b.squaredNorm());
            chosen_.pop_back();
        }
    }

    [[nodiscard]] Reduced project_out(const Reduced& at,
                                      Index i,
                                      const BlockFactor& factor,
                                      const Matrix& half) const {
        const Index start = (i + 1) * d_;
        const Index after = at.G.rows() - start;
        const Matrix coupling = factor.matrixL().solve(at.G.block(i * d_, start, d_, after));
        Reduced next{
            at.first + i + 1, at.G.bottomRightCorner(after, after), at.b.bottomRows(after)};
        next.G.noalias() -= coupling.transpose() * coupling;
        next.b.noalias() -= coupling.transpose() * half;
        return next;
    }

    void record(double explained) {
        if (best_.size() == keep_ && !(explained > best_.back().first)) {
            return;
        }
        const auto place = std::find_if(
            best_.begin(), best_.end(), [&](const auto& entry) { return explained > entry.first; });
        best_.insert(place, {explained, chosen_});
        if (best_.size() > keep_) {
            best_.pop_back();
        }
    }

    Index d_;
    Index m_;
    std::size_t keep_;
    double ridge_;
    std::vector<Index> chosen_;
    std::vector<std::pair<double, std::vector<Index>>> best_;
};

}  // namespace

Matrix net_points(const ThetaHull& hull, const NetOptions& options) {
    const Index axes = hull.directions.cols();
    const double room = options.largest_norm * options.largest_norm - hull.x0.squaredNorm();
    if (!(room >= 0.0)) {
        return Matrix(hull.x0.size(), 0);
    }
    const Index g =
        options.points_per_axis > 0 ? options.points_per_axis : default_points(axes + 1);
    const double radius = std::sqrt(room);
    const auto coordinate = [&](Index i) {
        return g == 1 ? 0.0
                      : radius * (2.0 * static_cast<double>(i) / static_cast<double>(g - 1) - 1.0);
    };
    std::vector<Index> digits(static_cast<std::size_t>(axes), 0);
    std::vector<Vector> points;
    for (;;) {
        Vector alpha(axes);
        for (Index l = 0; l < axes; ++l) {
            alpha(l) = coordinate(digits[static_cast<std::size_t>(l)]);
        }
        // A margin of rounding keeps the grid's own end points.
        if (alpha.squaredNorm() <= room * (1.0 + 1e-12)) {
            points.emplace_back(hull.x0 + hull.directions * alpha);
        }
        Index l = 0;
        while (l < axes && ++digits[static_cast<std::size_t>(l)] == g) {
            digits[static_cast<std::size_t>(l++)] = 0;
        }
        if (l == axes) {
            break;
        }
    }
    Matrix result(hull.x0.size(), static_cast<Index>(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i) {
        result.col(static_cast<Index>(i)) = points[i];
    }
    return result;
}

NetTuple fit_values_to(const Matrix& thetas, const SoftmaxExamples& examples) {
    const Index d = examples.d();
    const Index m = thetas.cols();
    NetTuple tuple;
    Matrix Z(examples.X.cols(), m * d);
    for (Index i = 0; i < m; ++i) {
        tuple.heads.push_back({fold<double>(thetas.col(i), d, d), Matrix()});
        Z.middleCols(i * d, d) =
            mixed_tokens(tuple.heads.back().Theta, examples.X, examples.k).transpose();
    }
    const Svd s = svd(Z);
    const double threshold = 1e-12 * s.sigma(0);
    const Vector inverse =
        s.sigma.unaryExpr([&](double sigma) { return sigma > threshold ? 1.0 / sigma : 0.0; });
    const Matrix W = s.V * inverse.asDiagonal() * (s.U.transpose() * examples.Y.transpose());
    for (Index i = 0; i < m; ++i) {
        tuple.heads[static_cast<std::size_t>(i)].W = W.middleRows(i * d, d);
    }
    tuple.relative_error = relative_error(tuple.heads, examples);
    return tuple;
}

NetSearch search_tuples(const Matrix& points,
                        Index m,
                        const SoftmaxExamples& training,
                        const NetOptions& options) {
    const Index d = training.d();
    require(points.rows() == d * d,
            "search_tuples: the points lie in dimension {}, expected d² = {}",
            points.rows(),
            d * d);
    NetSearch search;
    search.points = points.cols();
    search.tuples = binomial(points.cols(), m);
    if (points.cols() < m) {
        search.status = NetStatus::empty;
        return search;
    }
    if (search.tuples > options.most_tuples) {
        search.status = NetStatus::budget;
        return search;
    }
    Matrix Z(points.cols() * d, training.X.cols());
    for (Index i = 0; i < points.cols(); ++i) {
        throw_if_interrupted("search_tuples");
        Z.middleRows(i * d, d) =
            mixed_tokens(fold<double>(points.col(i), d, d), training.X, training.k);
    }
    Matrix gram = Matrix::Zero(Z.rows(), Z.rows());
    add_syrk(gram, Z);
    const Matrix full = gram.selfadjointView<Eigen::Lower>();
    const Matrix targets = Z * training.Y.transpose();
    for (const std::vector<Index>& tuple : best_tuples(full, targets, d, m, options.keep)) {
        search.best.push_back(fit_values_to(points(Eigen::all, tuple), training));
    }
    return search;
}

NetSearch net_search(const ThetaHull& hull,
                     const SoftmaxExamples& training,
                     const NetOptions& options) {
    return search_tuples(net_points(hull, options), hull.directions.cols() + 1, training, options);
}

double relative_error(const SoftmaxHeads& heads, const SoftmaxExamples& examples) {
    const Matrix Y = softmax_attention(heads, examples.X, examples.k);
    return (examples.Y - Y).squaredNorm() / examples.Y.squaredNorm();
}

std::vector<std::vector<Index>> best_tuples(
    const Matrix& G, const Matrix& b, Index d, Index m, Index keep) {
    require(d >= 1 && G.rows() == G.cols() && G.rows() == b.rows() && G.rows() % d == 0 && m >= 1 &&
                m <= G.rows() / d && keep >= 1,
            "best_tuples: the shapes do not match, or there are fewer blocks than m");
    TupleSearch search(d, m, keep, kRidge * G.diagonal().mean());
    search.descend({0, G, b}, 0.0);
    return search.best();
}

}  // namespace attest
