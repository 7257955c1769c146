#pragma once

#include <cstdint>
#include <string_view>

namespace attest {

/// How much work a run does: a look in under a minute, or the numbers that are published.
enum class Profile : std::uint8_t { quick, full };

[[nodiscard]] std::string_view to_string(Profile profile);

/// Throws UnknownName on anything but "quick" and "full".
[[nodiscard]] Profile profile_from_string(std::string_view text);

}  // namespace attest
