#pragma once

#include "core/base/shape.hpp"

#include <boost/math/distributions/chi_squared.hpp>

#include <cmath>
#include <vector>

namespace attest::test {

/// False-alarm level of every statistical test; seeds are fixed, so a pass is repeatable.
constexpr double kAlpha = 1e-6;

/// Pearson's Σ (observed − expected)²/expected. Expected counts should be 20 or more.
[[nodiscard]] inline double chi_square(const std::vector<double>& observed,
                                       const std::vector<double>& expected) {
    double sum = 0.0;
    for (std::size_t i = 0; i < observed.size(); ++i) {
        const double difference = observed[i] - expected[i];
        sum += difference * difference / expected[i];
    }
    return sum;
}

/// The value a chi-square variable with this many degrees of freedom exceeds with probability
/// kAlpha.
[[nodiscard]] inline double chi_square_critical(Index degrees) {
    const boost::math::chi_squared law(static_cast<double>(degrees));
    return boost::math::quantile(boost::math::complement(law, kAlpha));
}

/// The value below which it falls with probability kAlpha.
[[nodiscard]] inline double chi_square_critical_below(Index degrees) {
    return boost::math::quantile(boost::math::chi_squared(static_cast<double>(degrees)), kAlpha);
}

/// Bernstein's inequality: the mean of `draws` independent variables with this variance and |x − E
/// x| ≤ bound strays from its expectation by more than the result with probability at most kAlpha.
[[nodiscard]] inline double bernstein_deviation(double variance, double bound, Index draws) {
    const auto n = static_cast<double>(draws);
    const double log_term = std::log(2.0 / kAlpha);
    const double linear = bound * log_term / (3.0 * n);
    return linear + std::sqrt(linear * linear + 2.0 * variance * log_term / n);
}

}  // namespace attest::test
