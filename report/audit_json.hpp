#pragma once

#include "core/questions/audit.hpp"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace attest {

/// An audit as the object that docs/json.md describes; numbers that are not finite are null.
[[nodiscard]] nlohmann::ordered_json audit_json(const LayerAudit& audit,
                                                const AuditSummary& summary);

/// Array of {kind, concern, sentence, advice}.
[[nodiscard]] nlohmann::ordered_json observations_json(
    const std::vector<Observation>& observations);

/// Array of {what, why}.
[[nodiscard]] nlohmann::ordered_json left_out_json(const std::vector<LeftOut>& left_out);

}  // namespace attest
