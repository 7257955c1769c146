#include "core/solve/rounded_coefficients.hpp"

#include "core/exact/reals.hpp"
#include "core/solve/accuracy.hpp"
#include "core/solve/scaled_fit.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

/// ‖2^e A‖², row by row.
Real50 squared_norm(const MatrixOf<Real50>& A, const std::vector<int>& exponents) {
    Real50 sum = 0;
    for (Index p = 0; p < A.rows(); ++p) {
        const int e = exponents.empty() ? 0 : exponents[static_cast<std::size_t>(p)];
        for (Index a = 0; a < A.cols(); ++a) {
            sum += ldexp(Real50(A(p, a) * A(p, a)), 2 * e);
        }
    }
    return sum;
}

}  // namespace

RoundedCoefficients rounded(const MatrixOf<Real50>& P, const std::vector<int>& exponents) {
    RoundedCoefficients result{P.cast<double>()};
    MatrixOf<Real50> lost = P;
    for (Index k = 0; k < P.size(); ++k) {
        const double nearest = result.P.data()[k];
        int exponent = 0;
        (void)frexp(P.data()[k], &exponent);
        if (!std::isfinite(nearest)) {
            refuse_coefficients(exponent);
        }
        const bool rounding_only = P.data()[k] == 0 || std::isnormal(nearest);
        lost.data()[k] = rounding_only ? Real50(0) : Real50(P.data()[k] - nearest);
    }
    const Real50 size = squared_norm(P, {});
    if (size > 0) {
        result.vanished = static_cast<double>(Real50(sqrt(squared_norm(lost, {}) / size)));
        result.vanished_scaled = static_cast<double>(
            Real50(sqrt(squared_norm(lost, exponents) / squared_norm(P, exponents))));
    }
    if (std::max(result.vanished, result.vanished_scaled) >= kLargestError) {
        Index p = 0;
        Index a = 0;
        (void)lost.cwiseAbs().maxCoeff(&p, &a);
        int exponent = 0;
        (void)frexp(lost(p, a), &exponent);
        refuse_coefficients(exponent);
    }
    return result;
}

}  // namespace attest
