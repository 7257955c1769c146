#pragma once

#include "core/base/shape.hpp"

#include <cstdint>
#include <string_view>

namespace attest {

/// How the learning rate changes during training.
enum class Schedule : std::uint8_t {
    constant,
    cosine,  ///< half a cosine, from the full rate to 0 (Loshchilov and Hutter 2017)
};

[[nodiscard]] std::string_view to_string(Schedule schedule);

/// The factor of the rate in update `done` (0 … total−1): 1, or (1 + cos(π done/total))/2.
[[nodiscard]] double rate_factor(Schedule schedule, Index done, Index total);

}  // namespace attest
