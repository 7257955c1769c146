#include "core/rng/orthogonal.hpp"

#include "core/base/bitwise.hpp"
#include "core/rng/sample.hpp"

#include <cmath>

namespace attest {

namespace {

/// v of the reflection I − 2vvᵀ/(vᵀv) that clears column k of A below the diagonal; empty when the
/// column is zero already.
std::vector<double> reflector(const Matrix& A, Index k) {
    double square = 0.0;
    for (Index i = k; i < A.rows(); ++i) {
        square += A(i, k) * A(i, k);
    }
    if (is_zero(square)) {
        return {};
    }
    std::vector<double> v;
    for (Index i = k; i < A.rows(); ++i) {
        v.push_back(A(i, k));
    }
    v[0] += A(k, k) < 0.0 ? -std::sqrt(square) : std::sqrt(square);
    return v;
}

/// Columns first … of A become (I − 2vvᵀ/(vᵀv)) A, v acting on rows k ….
void reflect(Matrix& A, const std::vector<double>& v, Index k, Index first) {
    double square = 0.0;
    for (const double x : v) {
        square += x * x;
    }
    for (Index j = first; j < A.cols(); ++j) {
        double dot = 0.0;
        for (std::size_t i = 0; i < v.size(); ++i) {
            dot += v[i] * A(k + static_cast<Index>(i), j);
        }
        const double factor = 2.0 * dot / square;
        for (std::size_t i = 0; i < v.size(); ++i) {
            A(k + static_cast<Index>(i), j) -= factor * v[i];
        }
    }
}

}  // namespace

Matrix random_orthogonal(Index d, const Stream& stream) {
    Matrix A = grid_matrix(grid_normal(), d, d, stream);
    std::vector<std::vector<double>> reflectors;
    for (Index k = 0; k < d; ++k) {
        reflectors.push_back(reflector(A, k));
        if (!reflectors.back().empty()) {
            reflect(A, reflectors.back(), k, k);
        }
    }
    Matrix Q = Matrix::Identity(d, d);
    for (Index k = d - 1; k >= 0; --k) {
        const std::vector<double>& v = reflectors[static_cast<std::size_t>(k)];
        if (!v.empty()) {
            reflect(Q, v, k, k);
        }
    }
    // QR is unique only up to the signs of R's diagonal; left to Householder, they would depend on
    // A.
    for (Index k = 0; k < d; ++k) {
        if (A(k, k) < 0.0) {
            Q.col(k) = -Q.col(k);
        }
    }
    return Q;
}

Matrix random_signed_permutation(Index d, const Stream& stream) {
    const std::vector<Index> order = random_permutation(d, stream.child("order"));
    const Vector signs = random_signs(d, stream.child("signs"));
    Matrix X = Matrix::Zero(d, d);
    for (Index i = 0; i < d; ++i) {
        X(i, order[static_cast<std::size_t>(i)]) = signs(i);
    }
    return X;
}

Matrix random_skew(Index d, Index bound, const Stream& stream) {
    require(bound >= 1, "random_skew: got bound {}, expected at least 1", bound);
    Draws draws(stream);
    Matrix K = Matrix::Zero(d, d);
    for (Index i = 0; i < d; ++i) {
        for (Index j = i + 1; j < d; ++j) {
            const std::uint64_t step = draws.below(2 * static_cast<std::uint64_t>(bound) + 1);
            K(i, j) = static_cast<double>(static_cast<Index>(step) - bound);
            K(j, i) = -K(i, j);
        }
    }
    return K;
}

Vector random_signs(Index d, const Stream& stream) {
    return grid_matrix(rademacher(), d, 1, stream);
}

}  // namespace attest
