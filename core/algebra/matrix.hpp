#pragma once

#include "core/base/error.hpp"
#include "core/base/shape.hpp"
#include "core/base/text.hpp"

#include <Eigen/Core>

#ifdef __FAST_MATH__
#error "attest relies on IEEE arithmetic: build without -ffast-math"
#endif

namespace attest {

template <class Scalar>
using MatrixOf = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

template <class Scalar>
using VectorOf = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

using Matrix = MatrixOf<double>;
using Vector = VectorOf<double>;

/// Row-major flattening, the paper's convention: flatten(A)[i·cols + j] = A(i, j).
template <class Scalar>
[[nodiscard]] VectorOf<Scalar> flatten(const MatrixOf<Scalar>& A) {
    VectorOf<Scalar> v(A.size());
    for (Index i = 0; i < A.rows(); ++i) {
        v.segment(i * A.cols(), A.cols()) = A.row(i).transpose();
    }
    return v;
}

/// The inverse of flatten: Fold of Algorithm 1, rows×cols from a vector of rows·cols entries.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> fold(const VectorOf<Scalar>& v, Index rows, Index cols) {
    require(v.size() == rows * cols, "fold: got {} entries, expected {}x{}", v.size(), rows, cols);
    MatrixOf<Scalar> A(rows, cols);
    for (Index i = 0; i < rows; ++i) {
        A.row(i) = v.segment(i * cols, cols).transpose();
    }
    return A;
}

}  // namespace attest
