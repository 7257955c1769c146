#include "cli/scaled_number.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/text.hpp"

#include <cmath>

namespace attest::cli {

namespace {

bool is_held(const ScaledNumber& number) {
    return number.exponent == 0 || !std::isfinite(number.value) || is_zero(number.value) ||
           std::isnormal(std::ldexp(number.value, number.exponent));
}

}  // namespace

std::string brief(const ScaledNumber& number) {
    if (is_held(number)) {
        return brief(std::ldexp(number.value, number.exponent));
    }
    int exponent = 0;
    const double fraction = std::frexp(number.value, &exponent);
    return formatted("{} * 2^{} (outside the range of doubles)",
                     brief(2.0 * fraction),
                     exponent - 1 + number.exponent);
}

nlohmann::ordered_json number_or_null(const ScaledNumber& number) {
    return is_held(number) ? number_or_null(std::ldexp(number.value, number.exponent))
                           : nlohmann::ordered_json(nullptr);
}

}  // namespace attest::cli
