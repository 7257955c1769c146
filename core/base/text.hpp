#pragma once

#include "core/base/shape.hpp"

#include <sstream>
#include <string>
#include <string_view>

namespace attest {

/// The shortest decimal that reads back as the same double; "nan", "inf", "-inf" for the others.
[[nodiscard]] std::string round_trip(double value);

/// A size for people: "3.2 GiB", "512 B".
[[nodiscard]] std::string format_bytes(double bytes);

/// A duration for people: "85 ms", "3.2 s", "4 min 10 s", "2 h 5 min".
[[nodiscard]] std::string format_seconds(double seconds);

/// The parts printed one after the other by operator<<.
template <class... Parts>
[[nodiscard]] std::string concat(const Parts&... parts) {
    std::ostringstream out;
    (out << ... << parts);
    return out.str();
}

}  // namespace attest
