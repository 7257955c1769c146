#include "bench/experiments/text/feature_spectrum.hpp"

#include "core/algebra/lapack.hpp"
#include "core/data/moment_source.hpp"
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

}  // namespace attest
