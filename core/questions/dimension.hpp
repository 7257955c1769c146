#pragma once

#include "core/questions/output.hpp"
#include "core/questions/verdict.hpp"
#include "core/stack/dimension.hpp"

#include <optional>
#include <string>

namespace attest {

// How many parameters of a stack are real? The request is a DimensionRequest, the answer a
// StackDimension.

/// Proved, or undecided: a rank that nothing meets from above.
[[nodiscard]] Decision decision(const StackDimension& found);

/// The answer as docs/json.md lists it, and as lines for people.
[[nodiscard]] Output describe(const StackShape& shape, const StackDimension& found);

/// A proof of kind `dimension` for attest-check; nothing where the dimension is not proved, or by
/// relu, of which no proof is written.
[[nodiscard]] std::optional<std::string> dimension_proof(const StackShape& shape,
                                                         const StackDimension& found);

}  // namespace attest
