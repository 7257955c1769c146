#include "tasks/parameters.hpp"

#include "core/base/error.hpp"
#include "core/base/nearest_name.hpp"
#include "core/base/parse_number.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace attest {

namespace {

constexpr Index kLongestSequence = Index{1} << 24;

}  // namespace

std::string to_string(const LengthRange& range) {
    return range.shortest == range.longest ? std::to_string(range.shortest)
                                           : formatted("{}..{}", range.shortest, range.longest);
}

ParameterReader::ParameterReader(std::string task,
                                 std::vector<TaskParameter> known,
                                 std::map<std::string, std::string> given)
    : task_(std::move(task)), known_(std::move(known)), given_(std::move(given)) {
    std::vector<std::string> names;
    for (const TaskParameter& parameter : known_) {
        names.push_back(parameter.name);
    }
    for (const auto& [name, value] : given_) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            throw UnknownName(unknown_name_message("parameter of " + task_, name, names));
        }
    }
}

const std::string& ParameterReader::text(const std::string& name) const {
    const auto found = given_.find(name);
    if (found != given_.end()) {
        return found->second;
    }
    for (const TaskParameter& parameter : known_) {
        if (parameter.name == name) {
            return parameter.default_value;
        }
    }
    throw BrokenInvariant(where(name) + " is not in the table");
}

Index ParameterReader::integer(const std::string& name, Index lowest, Index highest) const {
    const std::optional<Index> value = parse_number<Index>(text(name));
    require(value && *value >= lowest && *value <= highest,
            "{}: got '{}', expected an integer from {} to {}",
            where(name),
            text(name),
            lowest,
            highest);
    return *value;
}

double ParameterReader::real(const std::string& name, double lowest, double highest) const {
    const std::optional<double> value = parse_number<double>(text(name));
    require(value && *value >= lowest && *value <= highest,
            "{}: got '{}', expected a number from {} to {}",
            where(name),
            text(name),
            round_trip(lowest),
            round_trip(highest));
    return *value;
}

LengthRange ParameterReader::lengths(const std::string& name) const {
    const std::string_view value = text(name);
    const std::size_t dots = value.find("..");
    const std::optional<Index> shortest = parse_number<Index>(value.substr(0, dots));
    const std::optional<Index> longest =
        dots == std::string_view::npos ? shortest : parse_number<Index>(value.substr(dots + 2));
    require(shortest && longest && *shortest >= 1 && *shortest <= *longest &&
                *longest <= kLongestSequence,
            "{}: got '{}', expected a length such as 16 or 4..32",
            where(name),
            value);
    return {*shortest, *longest};
}

std::string ParameterReader::where(const std::string& name) const {
    return "task " + task_ + ": " + name;
}

}  // namespace attest
