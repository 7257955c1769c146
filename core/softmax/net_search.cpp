#include "core/softmax/net_search.hpp"

#include "core/algebra/flatten.hpp"
#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "core/softmax/tuple_search.hpp"

#include <cmath>

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

}  // namespace attest
