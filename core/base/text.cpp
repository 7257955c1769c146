#include "core/base/text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace attest {

std::string round_trip(double value) {
    if (std::isnan(value)) {
        return "nan";
    }
    std::array<char, 32> buffer{};
    const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), end};
}

std::string six_digits(double value) {
    return fmt::format("{:g}", value);
}

std::string format_bytes(double bytes) {
    static constexpr std::array<const char*, 6> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    std::size_t unit = 0;
    // The next unit takes over where this one would print 1024.
    while (bytes >= (unit == 0 ? 1023.5 : 1023.95) && unit + 1 < kUnits.size()) {
        bytes /= 1024.0;
        ++unit;
    }
    std::ostringstream out;
    out << std::fixed << std::setprecision(unit == 0 ? 0 : 1) << bytes << ' ' << kUnits.at(unit);
    return out.str();
}

std::string format_seconds(double seconds) {
    std::ostringstream out;
    out << std::fixed;
    // Rounded to the smaller of the two units before it is split, so that no part prints as 60.
    const double whole_seconds = std::round(seconds);
    const double whole_minutes = std::round(seconds / 60.0);
    if (seconds < 0.9995) {
        out << std::setprecision(0) << seconds * 1e3 << " ms";
    } else if (seconds < 59.95) {
        out << std::setprecision(1) << seconds << " s";
    } else if (whole_seconds < 3600.0) {
        const double minutes = std::floor(whole_seconds / 60.0);
        out << std::setprecision(0) << minutes << " min " << whole_seconds - 60.0 * minutes << " s";
    } else {
        const double hours = std::floor(whole_minutes / 60.0);
        out << std::setprecision(0) << hours << " h " << whole_minutes - 60.0 * hours << " min";
    }
    return out.str();
}

}  // namespace attest
