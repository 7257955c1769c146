#pragma once

#include "core/audit/audit_summary.hpp"

#include <string>

namespace attest {

/// What the files of an audit are called; `held_out` is empty without.
struct AuditNames {
    std::string model;
    std::string data;
    std::string held_out;
};

/// One page about one layer: is it unique, how good is it, what to do; then the details, and
/// audit_json as data. Self-contained: it asks no network and no other file, and runs no script.
[[nodiscard]] std::string audit_page(const LayerAudit& audit,
                                     const AuditSummary& summary,
                                     const AuditNames& names);

}  // namespace attest
