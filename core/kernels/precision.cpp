#include "core/kernels/precision.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace attest {

namespace {

constexpr Choices<Precision, 5> kPrecisions{{{Precision::bf16, "bf16"},
                                             {Precision::fp16, "fp16"},
                                             {Precision::tf32, "tf32"},
                                             {Precision::fp32, "fp32"},
                                             {Precision::fp64, "fp64"}}};

/// Significant bits, the leading one included, and the exponents of the least normal number and of
/// the first power of two that is too large.
struct FormatRow {
    int bits;
    int lowest;
    int overflow;
};

constexpr std::array<FormatRow, 5> kFormats{
    {{8, -126, 128}, {11, -14, 16}, {11, -126, 128}, {24, -126, 128}, {53, -1022, 1024}}};

const FormatRow& format_of(Precision precision) {
    return kFormats.at(static_cast<std::size_t>(precision));
}

bool drops_bits(Precision precision) {
    return precision == Precision::tf32;
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

std::vector<std::string> stored_precision_names() {
    std::vector<std::string> names = precision_names();
    std::erase(names, to_string(Precision::tf32));
    return names;
}

Precision precision_named(std::string_view name) {
    return choice_named("precision", name, kPrecisions);
}

Precision stored_precision_named(std::string_view name) {
    const Precision precision = precision_named(name);
    if (drops_bits(precision)) {
        throw UnknownName(unknown_name_message("precision", name, stored_precision_names()));
    }
    return precision;
}

double unit_roundoff(Precision precision) {
    return std::ldexp(1.0, (drops_bits(precision) ? 1 : 0) - format_of(precision).bits);
}

MeanRounding mean_rounding(Precision precision) {
    if (!drops_bits(precision)) {
        return {.unit = unit_roundoff(precision)};
    }
    const double mean = std::ldexp(0.5 / std::numbers::ln2, -format_of(precision).bits);
    return {.unit = mean, .bias = mean};
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
    const double units = std::ldexp(value, -unit);
    const double nearest =
        std::ldexp(drops_bits(precision) ? std::trunc(units) : std::nearbyint(units), unit);
    return std::abs(nearest) < std::ldexp(1.0, format.overflow)
               ? nearest
               : std::copysign(std::numeric_limits<double>::infinity(), value);
}

}  // namespace attest
