#pragma once

#include "core/questions/audit.hpp"

#include <nlohmann/json_fwd.hpp>

namespace attest {

/// An audit as the object that docs/json.md describes; numbers that are not finite are null.
[[nodiscard]] nlohmann::ordered_json audit_json(const LayerAudit& audit,
                                                const AuditSummary& summary);

}  // namespace attest
