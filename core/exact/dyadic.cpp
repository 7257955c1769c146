#include "core/exact/dyadic.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace attest {

Dyadic dyadic(double value) {
    if (!std::isfinite(value)) {  // called for every number of a data set: no words unless needed
        throw InvalidInput(
            formatted("dyadic: got {}, expected a finite number", round_trip(value)));
    }
    if (is_zero(value)) {
        return {};
    }
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    // |fraction| lies in [1/2, 1), so 53 bits hold it exactly, subnormal or not.
    auto mantissa = static_cast<std::int64_t>(fraction * 0x1p53);
    const int zeros = std::countr_zero(static_cast<std::uint64_t>(mantissa));
    mantissa /= std::int64_t{1} << zeros;
    return {mantissa, exponent - 53 + zeros};
}

void DyadicRange::include(double value) {
    const Dyadic x = dyadic(value);
    if (x.mantissa != 0) {
        const std::int64_t size = x.mantissa < 0 ? -x.mantissa : x.mantissa;
        low = std::min(low, x.exponent);
        high = std::max(
            high, x.exponent + static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size))));
    }
}

Rational to_rational(double value) {
    const Dyadic x = dyadic(value);
    return Rational(Integer(x.mantissa)) * power_of_two(x.exponent);
}

Rational power_of_two(int exponent) {
    const Integer one(1);
    const Integer power(one << (exponent < 0 ? -exponent : exponent));
    return exponent < 0 ? Rational(one, power) : Rational(power);
}

Index bit_length(const Integer& value) {
    return value == 0 ? 0 : static_cast<Index>(msb(abs(value))) + 1;
}

}  // namespace attest
