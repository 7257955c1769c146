#pragma once

#include "core/algebra/matrix.hpp"

#include <boost/multiprecision/eigen.hpp>
#include <boost/multiprecision/gmp.hpp>

namespace attest {

/// Integers and rationals of any size, usable as Eigen scalars. Expression templates are off:
/// Eigen 3.4 needs it.
using Integer =
    boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational,
                                               boost::multiprecision::et_off>;

using RationalMatrix = MatrixOf<Rational>;

}  // namespace attest
