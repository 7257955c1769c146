#include "core/base/text.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iomanip>
#include <numeric>
#include <sstream>
#include <utility>

namespace attest {

std::string in_quotes(std::string_view text) {
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

std::string plural(Index count, std::string_view noun) {
    return formatted("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    // row[j] is the distance between the first i characters of a and the first j of b.
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
    require(!known.empty(), "nearest_name: no name is known");
    const auto common_start = [&](const std::string& other) {
        const std::size_t length = std::min(name.size(), other.size());
        return std::mismatch(name.begin(), name.begin() + length, other.begin()).first -
               name.begin();
    };
    return *std::min_element(
        known.begin(), known.end(), [&](const std::string& a, const std::string& b) {
            return std::pair{edit_distance(name, a), -common_start(a)} <
                   std::pair{edit_distance(name, b), -common_start(b)};
        });
}

std::string unknown_name_message(std::string_view what,
                                 std::string_view name,
                                 const std::vector<std::string>& known) {
    std::string list;
    for (const std::string& each : known) {
        list += (list.empty() ? "" : ", ") + each;
    }
    return formatted("{}: got '{}', expected one of {}; nearest: {}",
                     what,
                     name,
                     list,
                     nearest_name(name, known));
}

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
