#pragma once

#include "core/base/shape.hpp"

#include <fmt/core.h>

#include <charconv>
#include <concepts>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

namespace attest {

/// Foreign text for a message: in single quotes, on one line, bytes outside printable ASCII as
/// \xNN, cut after 60 bytes.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// "1 head", "3 heads": for nouns whose plural ends in s.
[[nodiscard]] std::string plural(Index count, std::string_view noun);

/// The fewest insertions, deletions and replacements of characters that turn a into b. O(|a||b|).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name with the least edit distance to `name`; among equals the one with the longest
/// common start, then the first. Throws InvalidInput if none is known.
[[nodiscard]] std::string nearest_name(std::string_view name,
                                       const std::vector<std::string>& known);

/// "what: got 'name', expected one of a, b, c; nearest: b", the message of UnknownName.
[[nodiscard]] std::string unknown_name_message(std::string_view what,
                                               std::string_view name,
                                               const std::vector<std::string>& known);

/// The number that the whole text spells in decimal, whatever the locale; none for anything else,
/// space around it, or a value beyond the type. Doubles may be "nan" and "inf".
template <class Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, number);
    if (code != std::errc{} || stop != end) {
        return std::nullopt;
    }
    return number;
}

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
