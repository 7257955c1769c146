#include "cli/output.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/text.hpp"
#include "record/json_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iomanip>
#include <limits>
#include <sstream>
#include <string>
#include <utility>

namespace attest::cli {

namespace {

template <class Number>
CLI::Validator within(Number lowest,
                      Number highest,
                      const std::string& expected,
                      const std::string& range) {
    return CLI::Validator(
        [=](const std::string& text) {
            const auto value = parse_number<Number>(text);
            const bool taken = value && *value >= lowest && *value <= highest;  // no for nan
            return taken ? std::string()
                         : formatted("got {}, expected {}", in_quotes(text), expected);
        },
        range);
}

}  // namespace

CLI::Validator integer_within(Index lowest, Index highest) {
    return within(lowest,
                  highest,
                  formatted("an integer from {} to {}", lowest, highest),
                  formatted("{}..{}", lowest, highest));
}

CLI::Validator seed_number() {
    constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
    return within(std::uint64_t{0}, kLast, formatted("an integer from 0 to {}", kLast), "0..");
}

CLI::Validator number_within(double lowest, double highest) {
    return within(lowest,
                  highest,
                  formatted("a number from {} to {}", round_trip(lowest), round_trip(highest)),
                  formatted("{}..{}", round_trip(lowest), round_trip(highest)));
}

CLI::Validator number_from_zero() {
    return within(0.0, std::numeric_limits<double>::max(), "a finite number from 0", "0..");
}

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

namespace {

nlohmann::ordered_json with_nulls(nlohmann::ordered_json value) {
    if (value.is_number_float()) {
        return number_or_null(value.get<double>());
    }
    if (value.is_structured()) {
        for (nlohmann::ordered_json& part : value) {
            part = with_nulls(std::move(part));
        }
    }
    return value;
}

}  // namespace

void Output::add(const std::string& key, const nlohmann::ordered_json& value) {
    add(key, value, value.is_string() ? value.get<std::string>() : json_text(with_nulls(value)));
}

void Output::add(const std::string& key,
                 const nlohmann::ordered_json& value,
                 const std::string& text) {
    std::string label = key;
    std::replace(label.begin(), label.end(), '_', ' ');
    object_[key] = value;
    lines_.push_back({label, text});
}

void Output::add_json(const std::string& key, const nlohmann::ordered_json& value) {
    object_[key] = value;
}

void Output::say(const std::string& sentence) {
    lines_.push_back({"", sentence});
}

void Output::print(std::ostream& out, bool json) const {
    if (json) {
        print_json(out, object_);
        return;
    }
    std::size_t width = 0;
    for (const Line& line : lines_) {
        width = std::max(width, line.label.size());
    }
    for (const Line& line : lines_) {
        if (line.label.empty()) {
            out << line.text << '\n';
        } else {
            out << std::left << std::setw(static_cast<int>(width) + 2) << line.label << line.text
                << '\n';
        }
    }
}

void print_json(std::ostream& out, const nlohmann::ordered_json& value) {
    out << json_text(with_nulls(value)) << '\n';
}

std::string brief(double value) {
    std::ostringstream out;
    out << std::setprecision(4) << value;
    return out.str();
}

}  // namespace attest::cli
