#include "core/certify/numerical/spectrum.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/minimum_eigenvalue.hpp"
#include "core/base/error.hpp"
#include "core/features/cubic.hpp"
#include "core/moments/moment_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attest {

namespace {

/// What a singular value has to exceed, relative to the largest one: max(N,ψ)·ε.
double numerical_threshold(const TriangularFactor& factor) {
    return static_cast<double>(std::max(factor.num_examples, Index{factor.R.cols()})) *
           std::numeric_limits<double>::epsilon();
}

}  // namespace

NumericalSpectrum numerical_spectrum(const TriangularFactor& factor) {
    NumericalSpectrum spectrum;
    spectrum.psi = factor.R.cols();
    spectrum.sigma = singular_values(factor.R);
    const double largest = spectrum.sigma.size() > 0 ? spectrum.sigma(0) : 0.0;
    spectrum.threshold = numerical_threshold(factor) * largest;
    spectrum.rank = (spectrum.sigma.array() > spectrum.threshold).count();
    spectrum.lambda_max = largest * largest;
    spectrum.trace = factor.R.squaredNorm();
    if (spectrum.sigma.size() == spectrum.psi && spectrum.psi > 0) {
        const double smallest = spectrum.sigma(spectrum.psi - 1);
        spectrum.lambda_min = smallest * smallest;
    }
    return spectrum;
}

NumericalSpectrum numerical_spectrum(const ScaledFactor& scaled) {
    NumericalSpectrum spectrum = numerical_spectrum(scaled.factor);
    spectrum.exponent = scaled.features();
    return spectrum;
}

std::optional<ExtremeSingularValues> extreme_singular_values(const TriangularFactor& factor) {
    const Index psi = factor.R.cols();
    const double size = factor.R.size() > 0 ? factor.R.cwiseAbs().maxCoeff() : 0.0;
    if (psi == 0 || factor.R.rows() < psi || !(size > 0.0)) {
        return std::nullopt;
    }
    const Matrix R = factor.R / size;  // whose squares neither overflow nor vanish
    const double threshold = numerical_threshold(factor);
    if (triangular_rcond(R) <= threshold) {
        return std::nullopt;
    }
    const auto upper = R.triangularView<Eigen::Upper>();
    const auto lower = R.transpose().triangularView<Eigen::Lower>();
    const EigenvalueEstimate largest = maximum_eigenvalue(psi, [&](const Vector& x) -> Vector {
        const Vector Rx = upper * x;
        return lower * Rx;
    });
    const EigenvalueEstimate smallest = minimum_eigenvalue(psi, [&](const Vector& x) -> Vector {
        const Vector y = lower.solve(x);
        return upper.solve(y);
    });
    const double sigma_1 = std::sqrt(largest.value);
    const double sigma_psi = std::sqrt(smallest.value);
    if (!largest.converged || !smallest.converged || !(sigma_psi >= 2.0 * threshold * sigma_1)) {
        return std::nullopt;
    }
    return ExtremeSingularValues{size * sigma_1, size * sigma_psi};
}

EigenvalueEstimate minimum_eigenvalue(const MomentSource& source, int threads) {
    const SourceShape shape = source.shape();
    Vector G = moment_sums<double>(source, {threads}).gram.rectangular_packed(threads);
    G /= static_cast<double>(shape.num_examples);
    const Index psi = shape.psi();
    const PackedCholeskyOf<double> factor = packed_cholesky<double>(std::move(G), psi);
    const double resolution = static_cast<double>(psi) * std::numeric_limits<double>::epsilon();
    return factor.positive && factor.rcond > resolution ? minimum_eigenvalue(factor)
                                                        : EigenvalueEstimate{};
}

NumericalLeverage::NumericalLeverage(const TriangularFactor& factor) {
    const Svd decomposition = svd(factor.R);
    const Vector& sigma = decomposition.sigma;
    const double largest = sigma.size() > 0 ? sigma(0) : 0.0;
    const double threshold = numerical_threshold(factor) * largest;
    const Index rank = (sigma.array() > threshold).count();
    basis_ = decomposition.V.leftCols(rank);
    inverse_ = sigma.head(rank).cwiseInverse();
}

Vector NumericalLeverage::of(const MomentSource& queries) const {
    const SourceShape shape = queries.shape();
    require(shape.psi() == basis_.rows(), "leverage: queries and data disagree on d");
    Vector leverages(shape.num_examples);
    Index at = 0;
    for (Index b = 0; b < shape.num_blocks; ++b) {
        const Matrix H = feature_columns(queries.block(b), shape.layout);
        require(
            H.allFinite(),
            "leverage: a query is so much larger than the data that its features are beyond the "
            "largest double, 1.8e308; divide its tokens");
        const Matrix coordinates = basis_.transpose() * H;
        const Matrix outside = H - basis_ * coordinates;
        const Matrix scaled = inverse_.asDiagonal() * coordinates;
        for (Index i = 0; i < H.cols(); ++i) {
            const bool inside =
                outside.col(i).stableNorm() <= kOutsideShare * H.col(i).stableNorm();
            leverages(at++) =
                inside ? scaled.col(i).squaredNorm() : std::numeric_limits<double>::infinity();
        }
    }
    return leverages;
}

double NumericalLeverage::mean(const MomentSource& queries) const {
    return of(queries).mean();
}

double projected_noise_bound(double sigma, double degrees, double delta) {
    const double t = std::log(1.0 / delta);
    return sigma * sigma * (degrees + 2.0 * std::sqrt(degrees * t) + 2.0 * t);
}

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
    require(singular.size() == psi && singular(psi - 1) > numerical_threshold(factor) * singular(0),
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
