#pragma once

#include "core/base/shape.hpp"

#include <cstdint>
#include <string>

namespace attest {

/// How a model's coefficients are to be split into heads.
enum class HeadChoice : std::uint8_t {
    svd,     ///< Algorithm 1's heads
    fewest,  ///< the fewest that compute the same function
    elbow,   ///< as many as the labels' noise lets one tell apart
    count,   ///< the best approximation with so many
};

/// What is asked of the heads.
struct HeadRequest {
    HeadChoice choice = HeadChoice::svd;
    Index count = 0;
    double budget = 60.0;  ///< seconds
    Index starts = 0;      ///< for every number of heads; 0: the library's default
};

/// The request behind "svd", "min", "elbow" or a number of heads ≥ 1. Throws UnknownName.
[[nodiscard]] HeadRequest head_request(const std::string& text);

}  // namespace attest
