#pragma once

#include "core/algebra/matrix.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/eigen.hpp>

// Apart from the integers and rationals, which many more files need.

namespace attest {

/// Binary floating point with 50 and 100 decimal digits, round to nearest.
using Real50 = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>,
                                             boost::multiprecision::et_off>;
using Real100 = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>,
                                              boost::multiprecision::et_off>;

}  // namespace attest
