#pragma once

#include "core/exact/scalars.hpp"
#include "core/layers/layer.hpp"

#include <optional>
#include <string_view>

namespace attest {

/// The layer that a text names: words separated by spaces, in any order, numbers as integers,
/// decimals or fractions, all exact. to_string(layer_named(text)) is its canonical text. Throws
/// UnknownName for an unknown word and InvalidInput for a parameter out of range or words that do
/// not go together.
[[nodiscard]] Layer layer_named(std::string_view text);

/// The number that "3", "0.25" or "31/32" spells, with a minus sign if need be, exactly; at most 40
/// digits above and below. None for anything else.
[[nodiscard]] std::optional<Rational> rational_from(std::string_view text);

}  // namespace attest
