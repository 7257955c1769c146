#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// The floating-point formats that kernels compute and store in. tf32 is what matrix units make of
/// float32 factors by dropping bits: nothing is stored in it.
enum class Precision : std::uint8_t { bf16, fp16, tf32, fp32, fp64 };

[[nodiscard]] std::string_view to_string(Precision precision);
/// What factors of matrix products may be rounded to.
[[nodiscard]] std::vector<std::string> precision_names();
/// What sums may be rounded to and numbers stored in.
[[nodiscard]] std::vector<std::string> stored_precision_names();
/// Both throw UnknownName.
[[nodiscard]] Precision precision_named(std::string_view name);
[[nodiscard]] Precision stored_precision_named(std::string_view name);

/// How far a conversion changes a number at most, in units of it: 2^−p for p significant bits,
/// twice that where bits are dropped.
[[nodiscard]] double unit_roundoff(Precision precision);

/// Conversion on average: x becomes x(1 − bias + uξ), ξ uniform on (−1, 1). Bits are dropped
/// towards zero; of numbers whose mantissas m follow Benford's law the mean of 1/m is 1/(2 ln 2).
struct MeanRounding {
    double unit = 0.0;
    double bias = 0.0;
};

[[nodiscard]] MeanRounding mean_rounding(Precision precision);

/// The most that a result too small for the format changes by: half the least subnormal for fp16;
/// the least normal number for the others, whose subnormals processors may set to zero.
[[nodiscard]] double underflow_unit(Precision precision);

/// The number of the format nearest to the value, ties to even; of tf32 the next one towards zero;
/// an infinity beyond its range.
[[nodiscard]] double rounded(Precision precision, double value);

}  // namespace attest
