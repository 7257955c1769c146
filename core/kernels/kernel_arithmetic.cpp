#include "core/kernels/kernel_arithmetic.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

namespace {

constexpr Choices<Precision, 4> kPrecisions{{{Precision::bf16, "bf16"},
                                             {Precision::fp16, "fp16"},
                                             {Precision::fp32, "fp32"},
                                             {Precision::fp64, "fp64"}}};

/// Significant bits, the leading one included, and the exponents of the least normal number and of
/// the first power of two that is too large.
struct FormatRow {
    int bits;
    int lowest;
    int overflow;
};

constexpr std::array<FormatRow, 4> kFormats{
    {{8, -126, 128}, {11, -14, 16}, {24, -126, 128}, {53, -1022, 1024}}};

const FormatRow& format_of(Precision precision) {
    return kFormats.at(static_cast<std::size_t>(precision));
}

}  // namespace

std::string_view to_string(Precision precision) {
    return name_of(kPrecisions, precision);
}

std::vector<std::string> precision_names() {
    std::vector<std::string> names;
    for (const auto& choice : kPrecisions) {
        names.emplace_back(choice.name);
    }
    return names;
}

Precision precision_named(std::string_view name) {
    return choice_named("precision", name, kPrecisions);
}

double unit_roundoff(Precision precision) {
    return std::ldexp(1.0, -format_of(precision).bits);
}

double underflow_unit(Precision precision) {
    const FormatRow& format = format_of(precision);
    return std::ldexp(1.0,
                      precision == Precision::fp16 ? format.lowest - format.bits : format.lowest);
}

double rounded(Precision precision, double value) {
    const FormatRow& format = format_of(precision);
    if (precision == Precision::fp64 || !std::isfinite(value) || is_zero(value)) {
        return value;
    }
    const int exponent = std::max(std::ilogb(value), format.lowest);
    const int unit = exponent - format.bits + 1;
    const double nearest = std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
    return std::abs(nearest) < std::ldexp(1.0, format.overflow)
               ? nearest
               : std::copysign(std::numeric_limits<double>::infinity(), value);
}

double Roundings::growth(double count) const {
    const double x = count * unit + kOperands * operand_unit;
    return x > 0.0 ? std::expm1(x) / x : 1.0;
}

Roundings roundings_of(const KernelArithmetic& arithmetic) {
    const double unit = unit_roundoff(arithmetic.accumulator);
    const double operands = unit_roundoff(arithmetic.operands);
    return {
        arithmetic.slack * unit,
        operands > unit ? arithmetic.slack * operands : 0.0,
        arithmetic.slack * std::max(underflow_unit(arithmetic.accumulator),
                                    operands > unit ? underflow_unit(arithmetic.operands) : 0.0)};
}

Roundings reference_roundings() {
    return {static_cast<double>(std::numeric_limits<long double>::epsilon()) / 2.0, 0.0, 0.0};
}

TokenWindow::TokenWindow(Index chunk, Index columns)
    : chunk_(chunk),
      previous_(static_cast<std::size_t>(columns)),
      current_(static_cast<std::size_t>(columns)) {}

void TokenWindow::begin(Index token) {
    if (token % chunk_ == 0) {
        previous_.swap(current_);
        std::fill(current_.begin(), current_.end(), 0.0);
    }
}

void TokenWindow::raise(Index column, double value) {
    double& most = current_[static_cast<std::size_t>(column)];
    most = std::max(most, value);
}

double TokenWindow::largest(Index column) const {
    const auto at = static_cast<std::size_t>(column);
    return std::max(previous_[at], current_[at]);
}

}  // namespace attest
