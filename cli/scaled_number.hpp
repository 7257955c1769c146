#pragma once

#include "cli/output.hpp"

#include <string>

namespace attest::cli {

/// value·2^exponent: a result that may lie outside the range of doubles.
struct ScaledNumber {
    double value = 0.0;
    int exponent = 0;
};

/// Four digits, and the power of two where a double does not hold the number.
[[nodiscard]] std::string brief(const ScaledNumber& number);

/// The double, or null where none holds the number.
[[nodiscard]] nlohmann::ordered_json number_or_null(const ScaledNumber& number);

}  // namespace attest::cli
