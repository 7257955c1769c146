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
    return concat(brief(2.0 * fraction),
                  " * 2^",
                  exponent - 1 + number.exponent,
                  " (outside the range of doubles)");
}

nlohmann::ordered_json json_number(const ScaledNumber& number) {
    return is_held(number) ? json_number(std::ldexp(number.value, number.exponent))
                           : nlohmann::ordered_json(nullptr);
}

void report_risk(Report& report, const Risk& risk) {
    const ScaledNumber mean{risk.risk, risk.exponent};
    const ScaledNumber mse{risk.mse, risk.exponent};
    report.add("risk", json_number(mean), brief(mean));
    report.add("mse", json_number(mse), brief(mse));
    report.add("relative", json_number(risk.relative), brief(risk.relative));
}

}  // namespace attest::cli
