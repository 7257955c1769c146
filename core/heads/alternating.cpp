#include "core/heads/alternating.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/bitwise.hpp"
#include "core/features/gauge.hpp"
#include "core/rng/sample.hpp"

#include <algorithm>
#include <string_view>

namespace attest {

namespace {

constexpr double kRelaxation = 0.5;
constexpr double kCloseEnough = 1e-3;

/// W[(a,c),(b,l)] at [(a,b),(c,l)].
Matrix swapped(const Matrix& W, Index d) {
    Matrix S(W.rows(), W.cols());
    for (Index a = 0; a < W.rows() / d; ++a) {
        for (Index b = 0; b < d; ++b) {
            for (Index c = 0; c < d; ++c) {
                S.row(a * d + b).segment(c * d, d) = W.row(a * d + c).segment(b * d, d);
            }
        }
    }
    return S;
}

Matrix top_row_space(const Matrix& W, Index H) {
    return svd(W).V.leftCols(H).transpose();
}

/// The tensor nearest to W among those with the coefficients of `symmetric` (in the symmetric
/// gauge).
Matrix with_coefficients_of(const Matrix& symmetric, const Matrix& W, Index d) {
    return symmetric + 0.5 * (W - swapped(W, d));
}

void require_start(const Matrix& W,
                   const Matrix& symmetric,
                   Index num_heads,
                   std::string_view function) {
    require(W.rows() == symmetric.rows() && W.cols() == symmetric.cols(),
            "{}: W does not have the shape of P's tensors",
            function);
    require(num_heads >= 1 && num_heads <= std::min(W.rows(), W.cols()),
            "{}: the number of heads is out of range",
            function);
}

}  // namespace

Matrix random_gauge(const Matrix& P, Index d, const Stream& stream) {
    const Matrix W = symmetric_gauge<double>(P, d);
    const Matrix G = grid_matrix(grid_normal(), W.rows(), W.cols(), stream.child("gauge"));
    const Matrix A = G - swapped(G, d);
    const double norm = A.norm();
    return is_zero(norm) ? W : Matrix(W + (W.norm() / norm) * A);
}

Matrix alternating_projections(
    const Matrix& W, const Matrix& P, Index d, Index num_heads, Index steps) {
    const Matrix symmetric = symmetric_gauge<double>(P, d);
    require_start(W, symmetric, num_heads, "alternating_projections");
    Matrix Q = top_row_space(W, num_heads);
    Matrix at = W;
    for (Index step = 0; step < steps; ++step) {
        const Matrix low_rank = (at * Q.transpose()) * Q;
        at = with_coefficients_of(symmetric, low_rank, d);
        Q = top_row_space(at, num_heads);
    }
    return Q;
}

Matrix averaged_reflections(
    const Matrix& W, const Matrix& P, Index d, Index num_heads, Index steps) {
    const Matrix symmetric = symmetric_gauge<double>(P, d);
    require_start(W, symmetric, num_heads, "averaged_reflections");
    const double close = kCloseEnough * symmetric.norm();
    Matrix Q = top_row_space(W, num_heads);
    Matrix at = W;
    for (Index step = 0; step < steps; ++step) {
        const Matrix low_rank = (at * Q.transpose()) * Q;
        const Matrix move = with_coefficients_of(symmetric, 2.0 * low_rank - at, d) - low_rank;
        if (move.norm() <= close) {
            break;
        }
        at += kRelaxation * move;
        Q = top_row_space(at, num_heads);
    }
    return Q;
}

}  // namespace attest
