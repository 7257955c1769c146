#include "cli/output.hpp"

#include "record/json_text.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <utility>

namespace attest::cli {

namespace {

nlohmann::ordered_json with_nulls(nlohmann::ordered_json value) {
    if (value.is_number_float()) {
        return number_or_null(value.get<double>());
    }
    if (value.is_structured()) {
        for (nlohmann::ordered_json& part : value) {
            part = with_nulls(std::move(part));
        }
    }
    return value;
}

}  // namespace

void Output::add(const std::string& key, const nlohmann::ordered_json& value) {
    add(key, value, value.is_string() ? value.get<std::string>() : json_text(with_nulls(value)));
}

void Output::add(const std::string& key,
                 const nlohmann::ordered_json& value,
                 const std::string& text) {
    std::string label = key;
    std::replace(label.begin(), label.end(), '_', ' ');
    object_[key] = value;
    lines_.push_back({label, text});
}

void Output::add_json(const std::string& key, const nlohmann::ordered_json& value) {
    object_[key] = value;
}

void Output::say(const std::string& sentence) {
    lines_.push_back({"", sentence});
}

void Output::print(std::ostream& out, bool json) const {
    if (json) {
        print_json(out, object_);
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

void print_json(std::ostream& out, const nlohmann::ordered_json& value) {
    out << json_text(with_nulls(value)) << '\n';
}

std::string brief(double value) {
    std::ostringstream out;
    out << std::setprecision(4) << value;
    return out.str();
}

}  // namespace attest::cli
