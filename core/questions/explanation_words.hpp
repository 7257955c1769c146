#pragma once

#include "core/explain/explanation.hpp"
#include "core/questions/output.hpp"

#include <string>

namespace attest {

/// "S_12 = 0, times any entry of u": the first relation of the class and what it stands for.
[[nodiscard]] std::string relation_in_words(const RelationClass& one);

/// Why data leave something open, as the key `explanation` of docs/json.md.
[[nodiscard]] nlohmann::ordered_json explanation_json(const Explanation& found);

/// That, and its facts, relations and causes a line each; classes beyond the first twenty in JSON
/// only.
void describe(Output& output, const Explanation& found);

}  // namespace attest
