#include "bench/experiments/frame/power_law.hpp"

#include "core/base/error.hpp"

#include <cmath>

namespace attest {

double PowerLaw::at(double x) const {
    return std::exp(log_constant + exponent * std::log(x));
}

PowerLaw fit_power_law(const std::vector<double>& x, const std::vector<double>& y) {
    ensure(x.size() == y.size() && x.size() >= 2, "fit_power_law: too few points");
    const auto count = static_cast<double>(x.size());
    double u_sum = 0.0;
    double v_sum = 0.0;
    double uu_sum = 0.0;
    double uv_sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double u = std::log(x[i]);
        const double v = std::log(y[i]);
        u_sum += u;
        v_sum += v;
        uu_sum += u * u;
        uv_sum += u * v;
    }
    const double exponent = (count * uv_sum - u_sum * v_sum) / (count * uu_sum - u_sum * u_sum);
    return {exponent, (v_sum - exponent * u_sum) / count, x.front()};
}

}  // namespace attest
