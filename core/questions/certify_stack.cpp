#include "core/questions/certify_stack.hpp"

#include "core/base/text.hpp"

#include <cmath>

namespace attest {

Decision decision(const LocalStack& found) {
    switch (found.verdict) {
        case StackVerdict::determined:
        case StackVerdict::numerically_determined:
            return Decision::yes;
        case StackVerdict::not_determined:
            return Decision::no;
        case StackVerdict::first_order_open:
        case StackVerdict::singular:
        case StackVerdict::undecided:
        case StackVerdict::numerically_open:
            break;
    }
    return Decision::undecided;
}

namespace {

std::string sentence(const LocalStack& found) {
    switch (found.verdict) {
        case StackVerdict::determined:
            return "locally determined (proved): every stack near this one with its outputs on the "
                   "data computes its function" +
                   (found.evidence == StackEvidence::bound
                        ? formatted(", on inputs of up to {} tokens", found.tokens)
                        : "");
        case StackVerdict::not_determined:
            return "not determined (proved): stacks as near as you like have its outputs on the "
                   "data and differ elsewhere";
        case StackVerdict::first_order_open:
            return formatted(
                "open to first order in {}: other inputs see what the data do not; "
                "whether a curve follows is not decided",
                plural(found.open_directions(), "direction"));
        case StackVerdict::singular:
            return found.arithmetic == StackArithmetic::rationals
                       ? formatted(
                             "undecided: near this stack fewer directions are real than at "
                             "the parameters drawn ({} of {}): relu is off, or the point is "
                             "special",
                             found.at_model,
                             found.dimension)
                       : formatted(
                             "undecided: the stack is a special point of its family (rank {} "
                             "of {}), as with a head of zero or two equal heads; certify it "
                             "in the smaller family",
                             found.at_model,
                             found.dimension);
        case StackVerdict::undecided:
            return found.open_directions() > 0
                       ? "undecided: as doubles see it, the data have a larger rank than modulo "
                         "the primes that were tried"
                       : "undecided: no direction is open, but that no stack of this family has a "
                         "larger rank is not proved";
        case StackVerdict::numerically_determined:
            return "numerically locally determined: as doubles see it, which proves nothing";
        case StackVerdict::numerically_open:
            return formatted("open in {}, as doubles see it, which proves nothing",
                             plural(found.open_directions(), "direction"));
    }
    return "";
}

nlohmann::ordered_json open_json(const OpenDirection& open) {
    nlohmann::ordered_json shares = nlohmann::ordered_json::array();
    for (const OpenShare& each : open.shares) {
        shares.push_back({{"parameters", each.name}, {"share", each.share}});
    }
    nlohmann::ordered_json input = nlohmann::ordered_json::array();
    for (Index i = 0; i < open.input.cols(); ++i) {
        const Vector token = open.input.col(i);
        input.push_back(std::vector<double>(token.data(), token.data() + token.size()));
    }
    return {{"shares", shares},
            {"tokens", input},
            {"change",
             std::vector<double>(open.change.data(), open.change.data() + open.change.size())}};
}

void say_open(Output& output, const OpenDirection& open) {
    std::string where;
    for (const OpenShare& each : open.shares) {
        where += formatted(
            "{}{} ({} %)", where.empty() ? "" : ", ", each.name, std::lround(100.0 * each.share));
    }
    output.say(formatted("  one open direction moves {}", where));
    output.say(formatted("  one unit of it changes the outputs on an input outside the data by {}",
                         brief(open.change.norm())));
}

}  // namespace

Output describe(const StackShape& shape, const LocalStack& found) {
    Output output;
    output.add("architecture", in_words(shape));
    output.add("verdict", to_string(found.verdict), sentence(found));
    output.add_json("evidence", to_string(found.evidence));
    output.add("parameters", found.parameters);
    output.add("num_examples",
               found.examples,
               formatted("{} different ones, {} numbers", found.examples, found.numbers));
    output.add_json("numbers", found.numbers);
    output.add("rank", found.rank, formatted("{} of the derivative on the data", found.rank));
    output.add("rank_at_model",
               found.at_model,
               formatted("{} of the derivative on all inputs", found.at_model));
    output.add(
        "dimension",
        found.dimension,
        formatted(
            "{} of the family{}{}",
            found.dimension,
            found.dimension_proved ? " (proved)" : "",
            found.arithmetic == StackArithmetic::rationals ? ", at the parameters drawn" : ""));
    output.add_json("dimension_proved", found.dimension_proved);
    output.add_json("symmetry_rank", found.symmetry_rank);
    output.add_json("arithmetic", to_string(found.arithmetic));
    output.add_json(
        "prime",
        found.prime == 0 ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(found.prime));
    output.add_json(
        "gap",
        found.gap ? nlohmann::ordered_json{{"last", found.gap->last}, {"next", found.gap->next}}
                  : nlohmann::ordered_json(nullptr));
    output.add_json("open_directions", found.open_directions());
    output.add_json("open", found.open ? open_json(*found.open) : nullptr);
    if (found.open) {
        say_open(output, *found.open);
    }
    nlohmann::ordered_json suggestions = nlohmann::ordered_json::array();
    for (const StackSuggestion& each : found.suggestions) {
        suggestions.push_back({{"candidate", each.candidate}, {"rank", each.rank}});
        output.say(formatted("  add candidate {}: rank {}", each.candidate, each.rank));
    }
    output.add_json("suggestions", suggestions);
    return output;
}

}  // namespace attest
