#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// The floating-point formats that kernels compute and store in.
enum class Precision : std::uint8_t { bf16, fp16, fp32, fp64 };

[[nodiscard]] std::string_view to_string(Precision precision);
[[nodiscard]] std::vector<std::string> precision_names();
/// Throws UnknownName.
[[nodiscard]] Precision precision_named(std::string_view name);

/// u = 2^−p for p significant bits: rounding to nearest changes a number by at most u times it.
[[nodiscard]] double unit_roundoff(Precision precision);

/// The most that a result too small for the format changes by: half the least subnormal for fp16;
/// the least normal number for the others, whose subnormals processors may set to zero.
[[nodiscard]] double underflow_unit(Precision precision);

/// The number of the format nearest to the value, ties to even; an infinity beyond its range.
[[nodiscard]] double rounded(Precision precision, double value);

}  // namespace attest
