#pragma once

#include "core/base/shape.hpp"

#include <string>
#include <string_view>

namespace attest {

/// "1 head", "3 heads": for nouns whose plural ends in s.
[[nodiscard]] std::string plural(Index count, std::string_view noun);

}  // namespace attest
