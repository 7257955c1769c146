#pragma once

#include "core/base/shape.hpp"

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

}  // namespace attest
