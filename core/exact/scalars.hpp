#pragma once

#include "core/algebra/matrix.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/eigen.hpp>
#include <boost/multiprecision/gmp.hpp>

namespace attest {

/// Integers and rationals of any size, usable as Eigen scalars. Expression templates are off:
/// Eigen 3.4 needs it.
using Integer =
    boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational,
                                               boost::multiprecision::et_off>;

/// Binary floating point with 50 and 100 decimal digits, round to nearest.
using Real50 = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>,
                                             boost::multiprecision::et_off>;
using Real100 = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>,
                                              boost::multiprecision::et_off>;

}  // namespace attest
