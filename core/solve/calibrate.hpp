#pragma once

#include "core/solve/problem.hpp"

namespace attest {

/// Measures the rates of the solvers' kernels on one thread: the structured second moment at
/// d = 12, matrix products as the features' operator makes them, packed Cholesky of order 1200 and
/// streamed QR of 600 columns, 50-digit multiplications. In processor time, a quarter of a second
/// each: call with one BLAS thread.
[[nodiscard]] WorkByKind measure_rates();

}  // namespace attest
