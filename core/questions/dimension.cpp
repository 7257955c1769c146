#include "core/questions/dimension.hpp"

#include "core/base/text.hpp"
#include "core/certify/proof.hpp"
#include "core/questions/proof_file.hpp"

#include <algorithm>

namespace attest {

Decision decision(const StackDimension& found) {
    return found.proof == DimensionProof::none ? Decision::undecided : Decision::yes;
}

namespace {

std::string reason(const StackShape& shape, const StackDimension& found) {
    const bool cell = found.arithmetic == StackArithmetic::rationals;
    if (found.arithmetic == StackArithmetic::floating) {
        return formatted("numerical: {}; at most {}, proved",
                         arithmetic_for(shape) == StackArithmetic::floating
                             ? "norms, gelu and deep softmax are ranked in doubles"
                             : "as doubles see it",
                         found.upper);
    }
    switch (found.proof) {
        case DimensionProof::symmetries:
            return formatted("proved{}: the derivative has this rank, and symmetries the other {}",
                             cell ? " at the parameters drawn" : "",
                             found.symmetry_rank);
        case DimensionProof::bound:
            return formatted(
                "proved{}: the derivative has this rank, and layers like these no more",
                cell ? " at the parameters drawn" : "");
        case DimensionProof::none:
            return formatted("at least, proved; at most {}, proved", found.upper);
    }
    return "";
}

nlohmann::ordered_json lost_json(const StackDimension& found) {
    nlohmann::ordered_json lost = nlohmann::ordered_json::array();
    for (const LostToSymmetry& each : found.lost) {
        lost.push_back({{"symmetry", to_string(each.kind)},
                        {"layer", each.layer},
                        {"dimensions", each.dimensions}});
    }
    return lost;
}

/// "4 to the basis of queries and keys", one kind a line, layers added up.
void say_lost(Output& output, const StackDimension& found) {
    std::vector<std::pair<SymmetryKind, Index>> kinds;
    for (const LostToSymmetry& each : found.lost) {
        const auto at = std::find_if(
            kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.first == each.kind; });
        if (at == kinds.end()) {
            kinds.emplace_back(each.kind, each.dimensions);
        } else {
            at->second += each.dimensions;
        }
    }
    for (const auto& [kind, dimensions] : kinds) {
        output.say(formatted("  lost {}: {}", dimensions, in_words(kind)));
    }
    const Index more = found.parameters - found.symmetry_rank - found.rank;
    if (found.proof == DimensionProof::bound && more > 0) {
        output.say(formatted("  lost {}: heads that mix, or fill what layers can be", more));
    }
}

}  // namespace

Output describe(const StackShape& shape, const StackDimension& found) {
    Output output;
    output.add("architecture", in_words(shape));
    output.add("d", shape.d);
    output.add("num_layers", static_cast<Index>(shape.layers.size()));
    output.add("tokens", found.tokens);
    output.add("outputs", found.outputs, formatted("{} numbers an example", found.outputs));
    output.add("parameters", found.parameters);
    output.add("dimension", found.rank, formatted("{} ({})", found.rank, reason(shape, found)));
    output.add_json("proved", found.proof != DimensionProof::none);
    output.add_json("evidence", to_string(found.proof));
    output.add_json("upper", found.upper);
    output.add_json("bound", found.bound ? nlohmann::ordered_json(*found.bound) : nullptr);
    output.add_json("symmetry_rank", found.symmetry_rank);
    output.add_json("arithmetic", to_string(found.arithmetic));
    output.add_json("prime", found.point ? nlohmann::ordered_json(found.point->prime) : nullptr);
    output.add_json("lost", lost_json(found));
    say_lost(output, found);
    output.add(
        "examples_least",
        found.examples_least,
        formatted("{}: with fewer almost no such stack is determined", found.examples_least));
    output.add("examples_seen",
               found.examples,
               formatted("{} random ones gave this rank", found.examples));
    output.add_json(
        "gap",
        found.gap ? nlohmann::ordered_json{{"last", found.gap->last}, {"next", found.gap->next}}
                  : nlohmann::ordered_json(nullptr));
    if (found.gap) {
        output.say(formatted("  singular values {} and {} of the largest stand about the rank",
                             brief(found.gap->last),
                             brief(found.gap->next)));
    }
    return output;
}

std::optional<std::string> dimension_proof(const StackShape& shape, const StackDimension& found) {
    if (found.proof == DimensionProof::none || !found.point ||
        found.arithmetic == StackArithmetic::rationals) {
        return std::nullopt;
    }
    const StackPoint& point = *found.point;
    ProofText proof;
    proof.line(stack_line(shape, found.tokens));
    for (const StackLayer& layer : shape.layers) {
        proof.line(layer_line(layer));
    }
    proof.line(formatted("claim dimension {}", found.rank));
    proof.line(formatted("prime {}", point.prime));
    if (found.arithmetic == StackArithmetic::powers) {
        proof.line(formatted("logarithm {}", Calculus<PowerNumber>::logarithm_of_base().value()));
    }
    const auto numbers = [&proof](std::string line, const auto& values) {
        for (const auto value : values) {
            line += formatted(" {}", value);
        }
        proof.line(line);
    };
    numbers("parameters", point.parameters);
    for (const std::vector<std::int64_t>& constants : point.constants) {
        if (!constants.empty()) {
            numbers("constants", constants);
        }
    }
    for (const MatrixOf<std::int64_t>& input : point.inputs) {
        numbers("example", std::vector<std::int64_t>(input.data(), input.data() + input.size()));
    }
    proof.indices("rows", point.rows);
    proof.indices("columns", point.columns);
    if (found.proof == DimensionProof::symmetries) {
        proof.indices("field-rows", point.field_rows);
        proof.indices("field-columns", point.field_columns);
    } else {
        proof.line("bound");
    }
    return proof.finish();
}

}  // namespace attest
