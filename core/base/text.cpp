#include "core/base/text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <iomanip>

namespace attest {

std::string round_trip(double value) {
    std::array<char, 32> buffer{};
    const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), end};
}

std::string format_bytes(double bytes) {
    static constexpr std::array<const char*, 6> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    std::size_t unit = 0;
    while (bytes >= 1024.0 && unit + 1 < kUnits.size()) {
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
    if (seconds < 1.0) {
        out << std::setprecision(0) << seconds * 1e3 << " ms";
    } else if (seconds < 60.0) {
        out << std::setprecision(1) << seconds << " s";
    } else {
        const double minutes = std::floor(seconds / 60.0);
        out << std::setprecision(0);
        if (minutes < 60.0) {
            out << minutes << " min " << seconds - 60.0 * minutes << " s";
        } else {
            const double hours = std::floor(minutes / 60.0);
            out << hours << " h " << minutes - 60.0 * hours << " min";
        }
    }
    return out.str();
}

std::string quoted(std::string_view text) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    static constexpr std::size_t kLongest = 60;
    std::string out = "'";
    for (const char letter : text.substr(0, kLongest)) {
        const auto code = static_cast<unsigned char>(letter);
        if (code >= 0x20U && code < 0x7fU) {
            out += letter;
        } else {
            out += "\\x";
            out += kDigits[code >> 4U];
            out += kDigits[code & 0xfU];
        }
    }
    return out + (text.size() > kLongest ? "…'" : "'");
}

}  // namespace attest
