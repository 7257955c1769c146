#pragma once

#include "core/questions/output.hpp"
#include "core/questions/verdict.hpp"
#include "core/stack/local_stack.hpp"

namespace attest {

// Do data determine a stack of layers, near the parameters at hand? The request is data, a Stack
// and a LocalStackRequest, the answer a LocalStack.

/// Locally determined, proved or numerically; not determined, proved; else undecided.
[[nodiscard]] Decision decision(const LocalStack& found);

/// The answer as docs/json.md lists it, and as lines for people.
[[nodiscard]] Output describe(const StackShape& shape, const LocalStack& found);

}  // namespace attest
