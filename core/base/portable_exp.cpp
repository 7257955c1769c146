#include "core/base/portable_exp.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <cmath>

namespace attest {

double portable_exp(double x) {
    if (!(x <= 0.0)) {  // not require: composing its message would cost more than the function
        throw InvalidInput(formatted("portable_exp: got {}, expected at most 0", round_trip(x)));
    }
    if (x < -700.0) {
        return 0.0;
    }
    // x = k ln 2 + r with |r| ≤ ln 2 / 2. ln 2 in two parts: the first has trailing zeros, so k
    // times it is exact.
    constexpr double kLn2High = 0x1.62e42fefap-1;
    constexpr double kLn2Low = 0x1.cf79abc9e3b3ap-40;
    const auto k = static_cast<int>(x / (kLn2High + kLn2Low) - 0.5);
    const double r = (x - k * kLn2High) - k * kLn2Low;
    double sum = 1.0;
    for (int j = 14; j >= 1; --j) {
        sum = 1.0 + sum * r / j;
    }
    return std::ldexp(sum, k);
}

}  // namespace attest
