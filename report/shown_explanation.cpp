#include "report/shown_explanation.hpp"

#include "core/base/text.hpp"

#include <nlohmann/json.hpp>

namespace attest {

namespace {

nlohmann::ordered_json numbers_of(const std::vector<Coordinate>& coordinates) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Coordinate& c : coordinates) {
        if (c.kind != CoordinateKind::constant) {
            list.push_back(c.number + 1);
        }
    }
    return list;
}

nlohmann::ordered_json json_of(const RelationClass& one) {
    return {{"about", to_string(one.scope)},
            {"relation", to_string(one.example)},
            {"members", one.members},
            {"null_vectors", one.vectors.size()},
            {"terms", one.example.size()},
            {"coordinates", numbers_of(one.coordinates)},
            {"cause", to_string(one.cause.kind)},
            {"because", one.cause.because},
            {"broken_by", one.cause.broken_by},
            {"structural", one.is_structural}};
}

/// By what a relation of one factor alone may be multiplied.
std::string_view times_anything(RelationScope scope) {
    switch (scope) {
        case RelationScope::query:
            return ", times any entry of s";
        case RelationScope::state:
            return ", times any entry of u";
        case RelationScope::product:
            return "";
    }
    return "";
}

}  // namespace

std::string relation_in_words(const RelationClass& one) {
    return formatted("{}{}", to_string(one.example), times_anything(one.scope));
}

nlohmann::ordered_json explanation_json(const Explanation& found) {
    nlohmann::ordered_json classes = nlohmann::ordered_json::array();
    for (const RelationClass& one : found.classes) {
        classes.push_back(json_of(one));
    }
    return {{"distinct_examples", found.distinct_examples},
            {"by_counting", found.by_counting()},
            {"nullity_at_most", found.nullity},
            {"listed", found.listed},
            {"not_listed", found.not_listed()},
            {"facts", found.facts},
            {"classes", classes}};
}

}  // namespace attest
