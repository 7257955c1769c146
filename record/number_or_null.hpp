#pragma once

#include <nlohmann/json.hpp>

namespace attest {

/// The double as JSON: a number, or null when it is not finite. Result rows spell it instead, see
/// number_or_word.
[[nodiscard]] nlohmann::ordered_json number_or_null(double value);

}  // namespace attest
