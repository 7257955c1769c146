#include "core/base/json_text.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace attest {

namespace {

using Json = nlohmann::ordered_json;

std::string quoted(const std::string& text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// nlohmann's own printing of doubles is not always the shortest.
std::string double_text(double value) {
    ensure(std::isfinite(value), "json_text: got " + round_trip(value) + ", expected a number");
    std::string text = round_trip(value);
    if (text.find_first_of(".e") == std::string::npos) {
        text += ".0";
    }
    return text;
}

std::string object_text(const Json& object) {
    std::string text = "{";
    for (const auto& [key, value] : object.items()) {
        text += (text.size() > 1 ? "," : "") + quoted(key) + ":" + json_text(value);
    }
    return text + "}";
}

std::string array_text(const Json& array) {
    std::string text = "[";
    for (const Json& value : array) {
        text += (text.size() > 1 ? "," : "") + json_text(value);
    }
    return text + "]";
}

}  // namespace

std::string json_text(const Json& value) {
    if (value.is_object()) {
        return object_text(value);
    }
    if (value.is_array()) {
        return array_text(value);
    }
    if (value.is_number_float()) {
        return double_text(value.get<double>());
    }
    return value.is_string() ? quoted(value.get_ref<const std::string&>()) : value.dump();
}

Json parse_json(std::string_view text, std::string_view what) {
    try {
        return Json::parse(text);
    } catch (const Json::exception& error) {
        throw InvalidInput(formatted("{}: not valid JSON (exception {})", what, error.id));
    }
}

Json number_or_word(double value) {
    return std::isfinite(value) ? Json(value) : Json(round_trip(value));
}

double number_from_json(const Json& value, std::string_view what) {
    if (value.is_number()) {
        return value.get<double>();
    }
    if (value == "inf" || value == "-inf") {
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        return value == "inf" ? kInfinity : -kInfinity;
    }
    require(value == "nan", "{}: got {}, expected a number", what, shown(value));
    return std::numeric_limits<double>::quiet_NaN();
}

std::string shown(const Json& value) {
    constexpr std::size_t kLongest = 40;
    if (value.is_structured()) {
        return value.is_array() ? "an array" : "an object";
    }
    const std::string text = json_text(value);
    return text.size() <= kLongest ? text : std::string("a long ") + value.type_name();
}

const Json& member(const Json& object, const std::string& key, std::string_view what) {
    require(object.is_object(), "{}: got {}, expected an object", what, shown(object));
    const auto found = object.find(key);
    require(found != object.end(), "{}: got no \"{}\"", what, key);
    return *found;
}

std::string text_member(const Json& object, const std::string& key, std::string_view what) {
    const Json& value = member(object, key, what);
    require(value.is_string(), "{}: got {} for \"{}\", expected text", what, shown(value), key);
    return value.get<std::string>();
}

std::uint64_t whole_member(const Json& object, const std::string& key, std::string_view what) {
    const Json& value = member(object, key, what);
    // A literal in our own code is a signed number, a parsed one unsigned.
    require(
        value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0),
        "{}: got {} for \"{}\", expected a whole number",
        what,
        shown(value),
        key);
    return value.get<std::uint64_t>();
}

nlohmann::ordered_json number_or_null(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace attest
