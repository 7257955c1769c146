#include "core/softmax/non_degeneracy.hpp"

#include "core/algebra/flatten.hpp"
#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/softmax/recovery.hpp"
#include "core/softmax/unmixing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

namespace {

/// The weights w with Σ w = 1 of the affine combination of least norm: proportional to the Gram
/// matrix's inverse times 1, when the points are linearly independent.
Vector affine_weights(const Matrix& points) {
    const Svd s = svd(points);
    const Vector inverse = s.sigma.unaryExpr(
        [&](double sigma) { return sigma > 1e-12 * s.sigma(0) ? 1.0 / (sigma * sigma) : 0.0; });
    const Vector w = s.V * (inverse.asDiagonal() * (s.V.transpose() * Vector::Ones(points.cols())));
    return w / w.sum();
}

double least_sigma_of_units(const Matrix& columns) {
    return singular_values(columns.colwise().normalized()).minCoeff();
}

}  // namespace

double scaled_least_sigma(const Matrix& W) {
    const double norm = W.norm();
    if (!(norm > 0.0)) {
        return 0.0;
    }
    return singular_values(W).minCoeff() * std::sqrt(static_cast<double>(W.rows())) / norm;
}

NonDegeneracy non_degeneracy(const SoftmaxHeads& heads, Index k) {
    const Matrix thetas = flattened_thetas(heads);
    const Index m = thetas.cols();
    Matrix values(thetas.rows(), m);
    NonDegeneracy result;
    result.effective_rank = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < m; ++i) {
        const SoftmaxHead& head = heads[static_cast<std::size_t>(i)];
        values.col(i) = flatten(head.W);
        const double spectral = singular_values(head.Theta).maxCoeff();
        require(spectral > 0.0 && values.col(i).norm() > 0.0,
                "non_degeneracy: got a head with Theta = 0 or W = 0, expected neither");
        result.effective_rank =
            std::min(result.effective_rank, head.Theta.squaredNorm() / (spectral * spectral));
    }
    const double largest = largest_theta(heads);
    result.theta_distance = m == 1 ? 1.0 : std::numeric_limits<double>::infinity();
    for (Index i = 0; i < m; ++i) {
        for (Index j = i + 1; j < m; ++j) {
            const double product = thetas.col(i).dot(thetas.col(j));
            const double norms = thetas.col(i).norm() * thetas.col(j).norm();
            result.largest_cosine = std::max(result.largest_cosine, std::abs(product) / norms);
            result.theta_distance =
                std::min(result.theta_distance, (thetas.col(i) - thetas.col(j)).norm() / largest);
        }
    }
    result.theta_sigma = least_sigma_of_units(thetas);
    result.value_sigma = least_sigma_of_units(values);
    const Vector weights = affine_weights(thetas);
    result.proxy_weight = weights.minCoeff();
    result.proxy_norm = (thetas * weights).norm() / largest;
    result.sum_sigma = scaled_least_sigma(sum_of_values(heads));
    result.rows_injective = rows_are_injective(heads.front().Theta.rows(), k, m);
    return result;
}

}  // namespace attest
