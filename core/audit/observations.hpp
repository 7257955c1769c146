#pragma once

#include "core/audit/audit_summary.hpp"

#include <vector>

namespace attest {

/// What an audit saw, in the order of its parts: examples, causes, held-out inputs, the model,
/// heads. Where the function is unique on inputs of the lengths seen, causes of what is open are
/// notes.
[[nodiscard]] std::vector<Observation> observations(const LayerAudit& audit, Uniqueness unique);

}  // namespace attest
