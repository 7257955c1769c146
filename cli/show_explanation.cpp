#include "cli/show_explanation.hpp"

#include "core/base/text.hpp"
#include "report/shown_explanation.hpp"

#include <algorithm>

namespace attest::cli {

namespace {

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

void show_explanation(Output& output, const Explanation& found) {
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

}  // namespace attest::cli
