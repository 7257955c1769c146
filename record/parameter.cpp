#include "record/parameter.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/json_text.hpp"
#include "core/base/text.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace attest {

namespace {

constexpr Choices<Profile, 2> kProfileNames{{{Profile::quick, "quick"}, {Profile::full, "full"}}};

using Json = nlohmann::ordered_json;

ParameterValue value_from_json(const Json& value, const std::string& name, std::string_view what) {
    if (value.is_boolean()) {
        return value.get<bool>();
    }
    if (value.is_number_float()) {
        return value.get<double>();
    }
    if (value.is_number_integer() && value.get<double>() < 0x1p63) {
        return value.get<std::int64_t>();
    }
    require(value.is_string(), "{}: got {} for parameter \"{}\"", what, shown(value), name);
    return value.get<std::string>();
}

}  // namespace

std::string_view to_string(Profile profile) {
    return name_of(kProfileNames, profile);
}

Profile profile_from_string(std::string_view text) {
    return choice_named("profile", text, kProfileNames);
}

std::string to_string(const ParameterValue& value) {
    if (const bool* flag = std::get_if<bool>(&value)) {
        return *flag ? "true" : "false";
    }
    if (const std::int64_t* number = std::get_if<std::int64_t>(&value)) {
        return std::to_string(*number);
    }
    if (const double* number = std::get_if<double>(&value)) {
        return round_trip(*number);
    }
    return std::get<std::string>(value);
}

double to_number(const ParameterValue& value, std::string_view name) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*whole);
    }
    const auto* real = std::get_if<double>(&value);
    require(
        real != nullptr, "parameter: got {} = \"{}\", expected a number", name, to_string(value));
    return *real;
}

std::string to_string(const ParameterMap& parameters) {
    std::string text;
    for (const auto& [name, value] : parameters) {
        text += (text.empty() ? "" : ", ") + name + "=" + to_string(value);
    }
    return text;
}

Json to_json_object(const ParameterMap& parameters) {
    Json object = Json::object();
    for (const auto& entry : parameters) {
        if (const double* number = std::get_if<double>(&entry.second)) {
            require(std::isfinite(*number),
                    "parameter {}: got {}, expected a finite number",
                    entry.first,
                    *number);
        }
        // The pair as a whole: clang 14 cannot capture a structured binding.
        std::visit([&](const auto& held) { object[entry.first] = held; }, entry.second);
    }
    return object;
}

ParameterMap parameters_from_json(const Json& object, std::string_view what) {
    require(object.is_object(), "{}: got {}, expected an object", what, shown(object));
    ParameterMap parameters;
    for (const auto& [name, value] : object.items()) {
        parameters.emplace(name, value_from_json(value, name, what));
    }
    return parameters;
}

}  // namespace attest
