#pragma once

#include "core/exact/scalars.hpp"

#include <cstdint>
#include <limits>

namespace attest {

/// A finite double as mantissa·2^exponent, exactly. The mantissa is odd, or 0 with exponent 0;
/// |mantissa| < 2⁵³.
struct Dyadic {
    std::int64_t mantissa = 0;
    int exponent = 0;

    friend bool operator==(const Dyadic&, const Dyadic&) = default;
};

/// The dyadic form of a double. Throws InvalidInput for NaN and infinities.
[[nodiscard]] Dyadic dyadic(double value);

/// A dyadic grid that holds several doubles: each is a multiple of 2^low and below 2^high in
/// magnitude.
struct DyadicRange {
    int low = std::numeric_limits<int>::max();
    int high = std::numeric_limits<int>::min();

    void include(double value);

    /// Whether every value so far was zero.
    [[nodiscard]] bool is_zero() const { return low > high; }

    /// Bits of the largest value in units of 2^low.
    [[nodiscard]] Index bits() const { return is_zero() ? 0 : high - low; }
};

/// The double as a fraction, exactly. Throws InvalidInput for NaN and infinities.
[[nodiscard]] Rational to_rational(double value);

/// 2^exponent for any sign of the exponent.
[[nodiscard]] Rational power_of_two(int exponent);

/// The number of bits of |value|: 0 for 0, else floor(log2|value|) + 1.
[[nodiscard]] Index bit_length(const Integer& value);

}  // namespace attest
