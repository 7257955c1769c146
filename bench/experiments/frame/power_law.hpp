#pragma once

#include <vector>

namespace attest {

/// y = exp(log_constant)·x^exponent.
struct PowerLaw {
    double exponent = 0.0;
    double log_constant = 0.0;
    double first = 0.0;  ///< x of the first point of the fit

    [[nodiscard]] double at(double x) const;
};

/// Through at least two points of different positive x and positive y: least squares of logarithms.
[[nodiscard]] PowerLaw fit_power_law(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace attest
