#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace attest {

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

}  // namespace attest
