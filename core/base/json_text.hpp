#pragma once

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace attest {

/// The value as JSON on one line, keys in insertion order. Doubles are the shortest decimal that
/// reads back as the same double and keep a sign of being doubles ("1.0", "1e+300"); bytes that are
/// not UTF-8 become U+FFFD. Throws BrokenInvariant on NaN or an infinity: spell those as strings.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& value);

/// One JSON value. Throws InvalidInput("what: …") when the text is not exactly one.
[[nodiscard]] nlohmann::ordered_json parse_json(std::string_view text, std::string_view what);

/// A double as a JSON value: a number, or "nan", "inf", "-inf" as a string.
[[nodiscard]] nlohmann::ordered_json number_or_word(double value);

/// Reads back number_or_word. Throws InvalidInput on anything else.
[[nodiscard]] double number_from_json(const nlohmann::ordered_json& value, std::string_view what);

/// The value for an error message: itself when it is short, else its type ("an array").
[[nodiscard]] std::string shown(const nlohmann::ordered_json& value);

/// The member `key` of an object. Throws InvalidInput("what: got no \"key\" …") when it is absent.
[[nodiscard]] const nlohmann::ordered_json& member(const nlohmann::ordered_json& object,
                                                   const std::string& key,
                                                   std::string_view what);

/// A member that must be text.
[[nodiscard]] std::string text_member(const nlohmann::ordered_json& object,
                                      const std::string& key,
                                      std::string_view what);

/// A member that must be a whole number of at least 0.
[[nodiscard]] std::uint64_t whole_member(const nlohmann::ordered_json& object,
                                         const std::string& key,
                                         std::string_view what);

/// The double as JSON: a number, or null when it is not finite. Result rows spell it instead, see
/// number_or_word.
[[nodiscard]] nlohmann::ordered_json number_or_null(double value);

}  // namespace attest
