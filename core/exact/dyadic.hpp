#pragma once

#include "core/exact/scalars.hpp"

#include <cstdint>

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

/// The double as a fraction, exactly. Throws InvalidInput for NaN and infinities.
[[nodiscard]] Rational to_rational(double value);

/// value·2^shift as an integer. Throws InvalidInput when it is not one.
[[nodiscard]] Integer scaled_integer(double value, int shift);

/// The number of bits of |value|: 0 for 0, else floor(log2|value|) + 1.
[[nodiscard]] Index bit_length(const Integer& value);

}  // namespace attest
