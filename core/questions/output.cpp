#include "core/questions/output.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <utility>

namespace attest {

namespace {

bool is_held(const ScaledNumber& number) {
    return number.exponent == 0 || !std::isfinite(number.value) || is_zero(number.value) ||
           std::isnormal(std::ldexp(number.value, number.exponent));
}

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

std::string brief(const ScaledNumber& number) {
    if (is_held(number)) {
        return brief(std::ldexp(number.value, number.exponent));
    }
    int exponent = 0;
    const double fraction = std::frexp(number.value, &exponent);
    return formatted("{} * 2^{} (outside the range of doubles)",
                     brief(2.0 * fraction),
                     exponent - 1 + number.exponent);
}

nlohmann::ordered_json number_or_null(const ScaledNumber& number) {
    return is_held(number) ? number_or_null(std::ldexp(number.value, number.exponent))
                           : nlohmann::ordered_json(nullptr);
}

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

nlohmann::ordered_json Output::json() const {
    return with_nulls(object_);
}

std::string Output::text() const {
    std::size_t width = 0;
    for (const Line& line : lines_) {
        width = std::max(width, line.label.size());
    }
    std::ostringstream out;
    for (const Line& line : lines_) {
        if (!line.label.empty()) {
            out << std::left << std::setw(static_cast<int>(width) + 2) << line.label;
        }
        out << line.text << '\n';
    }
    return out.str();
}

void Output::print(std::ostream& out, bool json) const {
    if (json) {
        print_json(out, object_);
    } else {
        out << text();
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

}  // namespace attest
