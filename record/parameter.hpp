#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace attest {

/// How much work a run does: a look in under a minute, or the numbers that are published.
enum class Profile : std::uint8_t { quick, full };

[[nodiscard]] std::string_view to_string(Profile profile);

/// Throws UnknownName on anything but "quick" and "full".
[[nodiscard]] Profile profile_from_string(std::string_view text);

/// One setting of a task, a learner or an experiment. Doubles are finite.
using ParameterValue = std::variant<bool, std::int64_t, double, std::string>;

/// Settings by snake_case name: {{"d", 4}, {"mixture", 0.5}, {"teacher", "paper"}}.
using ParameterMap = std::map<std::string, ParameterValue>;

/// For people and file names: "true", "4", "0.5", "paper".
[[nodiscard]] std::string to_string(const ParameterValue& value);

/// The value of a setting that counts or measures. Throws InvalidInput when it is neither number.
[[nodiscard]] double to_number(const ParameterValue& value, std::string_view name);

/// "d=4, mixture=0.5"; empty for no settings.
[[nodiscard]] std::string to_string(const ParameterMap& parameters);

/// As a JSON object. Throws InvalidInput when a double is not finite: it could not be told apart.
[[nodiscard]] nlohmann::ordered_json to_json_object(const ParameterMap& parameters);

/// Reads back to_json_object. Throws InvalidInput("what: …") on a value that is no parameter.
[[nodiscard]] ParameterMap parameters_from_json(const nlohmann::ordered_json& object,
                                                std::string_view what);

}  // namespace attest
