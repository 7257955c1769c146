#include "core/certify/noise_excess.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"

#include <cmath>
#include <limits>

namespace attest {

double squared_distance(const Matrix& P, const Matrix& Q, const Matrix& Lambda) {
    const Matrix difference = P - Q;
    const Matrix image = Lambda * difference;
    return difference.cwiseProduct(image).sum();
}

double NoiseExcess::lower(double t) const {
    return mean - std::sqrt(2.0 * t) * deviation;
}

double NoiseExcess::upper(double t) const {
    return mean + std::sqrt(2.0 * t) * deviation + 2.0 * largest * t;
}

NoiseExcess noise_excess(const TriangularFactor& factor,
                         const Matrix& Lambda,
                         double sigma,
                         Index outputs) {
    const Index psi = factor.R.cols();
    const Svd decomposition = svd(factor.R);
    const Vector& singular = decomposition.sigma;
    const double threshold = static_cast<double>(std::max(factor.num_examples, psi)) *
                             std::numeric_limits<double>::epsilon();
    require(singular.size() == psi && singular(psi - 1) > threshold * singular(0),
            "noise_excess: the second moment is numerically singular, expected rank psi");
    // Columns of V Σ⁻¹ have unit second moment in the data.
    const Matrix whitening = decomposition.V * singular.cwiseInverse().asDiagonal();
    const Matrix image = Lambda * whitening;
    const Matrix ratio = whitening.transpose() * image;
    const double unit = sigma * sigma / static_cast<double>(factor.num_examples);
    const Vector weights = unit * symmetric_eigenvalues(ratio);
    const auto o = static_cast<double>(outputs);
    return {o * weights.sum(), std::sqrt(2.0 * o) * weights.norm(), weights(psi - 1)};
}

}  // namespace attest
