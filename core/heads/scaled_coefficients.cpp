#include "core/heads/scaled_coefficients.hpp"

#include "core/data/token_matrix.hpp"

#include <cmath>

namespace attest {

namespace {

Matrix times(const Matrix& A, int exponent) {
    return A.unaryExpr([exponent](double x) { return std::ldexp(x, exponent); });
}

}  // namespace

ScaledCoefficients scaled_coefficients(const Matrix& P) {
    constexpr int kReach = 300;
    const ExponentRange range = exponent_range(P);
    if (range.empty() || std::abs(range.high) <= kReach) {
        return {P, 0};
    }
    return {times(P, -range.high), range.high};
}

Parameters times_power(Parameters heads, int exponent) {
    const int half = exponent / 2;
    for (Head& head : heads.heads) {
        head.V = times(head.V, half);
        head.Q = times(head.Q, exponent - half);
    }
    return heads;
}

}  // namespace attest
