#include "core/questions/explanation_words.hpp"

#include "core/base/text.hpp"

#include <algorithm>

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

constexpr Index kMostClasses = 20;

void say_class(Output& output, const RelationClass& one) {
    const std::string more =
        one.members == 1
            ? ""
            : formatted("; {} like it up to the order of coordinates", one.members - 1);
    output.say(formatted("  {}{} ({})",
                         relation_in_words(one),
                         more,
                         plural(std::ssize(one.vectors), "null vector")));
    output.say(formatted("      because {}", one.cause.because));
    output.say(
        one.is_structural
            ? "      structural: it holds on every input of these lengths and is harmless there"
            : formatted("      broken by {}", one.cause.broken_by));
}

std::string listed(const Explanation& found) {
    if (found.listed == 0) {
        return "no short relation holds: what is open is of a generic kind";
    }
    const auto classes = std::ssize(found.classes);
    return formatted("{} in {}, each checked on every example in exact arithmetic{}",
                     plural(found.listed, "independent null vector"),
                     classes == 1 ? "1 class" : formatted("{} classes", classes),
                     found.not_listed() == 0
                         ? ""
                         : formatted("; {} more of a generic kind", found.not_listed()));
}

/// Too few examples come first: no cause needs to be looked for then.
std::string summary(const Explanation& found) {
    if (found.nullity == 0) {
        return "nothing: the features are of full rank, no relation holds in every example";
    }
    if (found.by_counting() == 0) {
        return listed(found);
    }
    return formatted(
        "too few examples: {} distinct of {}, psi = {}; any data of so few have {} at "
        "least",
        found.distinct_examples,
        found.num_examples,
        found.psi,
        plural(found.by_counting(), "null vector"));
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

void describe(Output& output, const Explanation& found) {
    output.add("explanation", explanation_json(found), summary(found));
    if (found.nullity > 0 && found.by_counting() > 0) {
        output.say("  " + listed(found));
    }
    for (const std::string& fact : found.facts) {
        output.say("  " + fact);
    }
    for (std::size_t k = 0; k < found.classes.size() && std::cmp_less(k, kMostClasses); ++k) {
        say_class(output, found.classes[k]);
    }
    if (std::ssize(found.classes) > kMostClasses) {
        output.say(
            formatted("  {} more classes: see --json", std::ssize(found.classes) - kMostClasses));
    }
}

}  // namespace attest
