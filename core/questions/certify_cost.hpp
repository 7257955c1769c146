#pragma once

#include "core/data/sources/sequences.hpp"
#include "core/questions/audit_budget.hpp"
#include "core/questions/certify.hpp"

namespace attest {

/// What a certification of such data is estimated to take before it starts, part by part as an
/// audit's, all included. Of the levels matrix-free, rigorous and grouped nothing is estimated: no
/// part. `machine_speed` as in AuditSize.
[[nodiscard]] AuditPlan certify_plan(const SequenceShape& data,
                                     const CertifyRequest& request,
                                     double machine_speed);

}  // namespace attest
