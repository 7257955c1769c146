#include "cli/report.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace attest::cli {

void Report::add(const std::string& key, const nlohmann::ordered_json& value) {
    add(key, value, value.is_string() ? value.get<std::string>() : value.dump());
}

void Report::add(const std::string& key,
                 const nlohmann::ordered_json& value,
                 const std::string& text) {
    std::string label = key;
    std::replace(label.begin(), label.end(), '_', ' ');
    object_[key] = value;
    lines_.push_back({label, text});
}

void Report::add_json(const std::string& key, const nlohmann::ordered_json& value) {
    object_[key] = value;
}

void Report::say(const std::string& sentence) {
    lines_.push_back({"", sentence});
}

void Report::print(std::ostream& out, bool json) const {
    if (json) {
        out << object_.dump() << '\n';
        return;
    }
    std::size_t width = 0;
    for (const Line& line : lines_) {
        width = std::max(width, line.label.size());
    }
    for (const Line& line : lines_) {
        if (line.label.empty()) {
            out << line.text << '\n';
        } else {
            out << std::left << std::setw(static_cast<int>(width) + 2) << line.label << line.text
                << '\n';
        }
    }
}

std::string brief(double value) {
    std::ostringstream out;
    out << std::setprecision(4) << value;
    return out.str();
}

nlohmann::ordered_json json_number(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace attest::cli
