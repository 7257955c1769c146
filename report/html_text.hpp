#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace attest::html {

/// Text as the content or a quoted attribute of an element.
[[nodiscard]] std::string text(std::string_view plain);

/// The same of several lines, each kept.
[[nodiscard]] std::string lines(std::string_view plain);

/// A long name that may break after '/' and '_'.
[[nodiscard]] std::string breakable(std::string_view name);

/// The name as an element's id: letters, digits and '-'; anything else becomes '-'.
[[nodiscard]] std::string id(std::string_view name);

/// <code>, which wraps where it is long.
[[nodiscard]] std::string code(std::string_view plain);

/// A command in a box of its own, with a button that copies it.
[[nodiscard]] std::string command(std::string_view words);

/// A script element that holds data and never runs; nothing in the value can end it.
[[nodiscard]] std::string data_block(std::string_view element_id,
                                     const nlohmann::ordered_json& value);

/// A figure as an element of the page: without the XML declaration, its ids made unique by
/// `prefix`, and without gnuplot's own names for curves, which would show as tooltips.
[[nodiscard]] std::string inline_svg(std::string_view svg, std::string_view prefix);

}  // namespace attest::html
