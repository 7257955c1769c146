#pragma once

#include "core/base/shape.hpp"

#include <fmt/core.h>

#include <concepts>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>

namespace attest {

/// The shortest decimal that reads back as the same double; "nan", "inf", "-inf" for the others.
[[nodiscard]] std::string round_trip(double value);

/// A size for people: "3.2 GiB", "512 B".
[[nodiscard]] std::string format_bytes(double bytes);

/// A duration for people: "85 ms", "3.2 s", "4 min 10 s", "2 h 5 min".
[[nodiscard]] std::string format_seconds(double seconds);

/// Six significant digits, as "%g" prints them.
[[nodiscard]] std::string six_digits(double value);

/// A value as `formatted` shows it: numbers of text, integers and characters as they are, a bool
/// as 0 or 1, a floating-point number with six digits, anything else as operator<< prints it.
template <class Value>
[[nodiscard]] auto shown(const Value& value) {
    if constexpr (std::same_as<Value, bool>) {
        return static_cast<int>(value);
    } else if constexpr (std::floating_point<Value>) {
        return six_digits(static_cast<double>(value));
    } else if constexpr (std::is_arithmetic_v<Value>) {
        return value;
    } else if constexpr (std::convertible_to<const Value&, std::string_view>) {
        return std::string_view(value);
    } else {
        std::ostringstream out;
        out << value;
        return out.str();
    }
}

template <class... Values>
using Pattern = fmt::format_string<decltype(shown(std::declval<const Values&>()))...>;

/// The pattern with each {} replaced by a value; the number of values is checked when compiled.
template <class... Values>
[[nodiscard]] std::string formatted(Pattern<Values...> pattern, const Values&... values) {
    return fmt::format(pattern, shown(values)...);
}

}  // namespace attest
