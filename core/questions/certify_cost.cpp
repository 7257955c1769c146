#include "core/questions/certify_cost.hpp"

#include <algorithm>

namespace attest {

namespace {

AuditSize certify_size(const SequenceShape& data,
                       const CertifyRequest& request,
                       double machine_speed) {
    AuditSize size = audit_size(data);
    size.outputs = request.model != nullptr ? request.model->o : std::max<Index>(data.o, 1);
    if (request.parts.queries != nullptr) {
        size.held_out = request.parts.queries->num_examples();
    }
    if (request.parts.heads > 0 && request.model != nullptr && has_heads(request.model->layer)) {
        size.head_entries = family_parameters(*request.model, request.parts.head_sizes);
    }
    size.machine_speed = machine_speed;
    return size;
}

/// Whether the singular values are looked at, by this level or for these parts.
bool needs_singular_values(const AuditSize& size, const CertifyRequest& request) {
    return request.level == CertifyLevel::numerical || request.model != nullptr ||
           request.other != nullptr || request.suggest > 0 || request.parts.queries != nullptr ||
           is_spectrum_cheap(size.num_examples, size.psi);
}

}  // namespace

AuditPlan certify_plan(const SequenceShape& data,
                       const CertifyRequest& request,
                       double machine_speed) {
    AuditPlan plan;
    plan.size = certify_size(data, request, machine_speed);
    const auto include = [&](AuditPart part) {
        plan.parts.push_back({part, estimated_seconds(part, plan.size), true});
    };
    const bool exact =
        request.level == CertifyLevel::automatic || request.level == CertifyLevel::exact;
    if (exact) {
        include(AuditPart::rank);
    }
    if ((exact || request.level == CertifyLevel::numerical) &&
        needs_singular_values(plan.size, request)) {
        include(AuditPart::singular_values);
    }
    if (plan.size.held_out > 0) {
        include(AuditPart::held_out);
    }
    if (request.parts.reasons) {
        include(AuditPart::reasons);
    }
    if (request.parts.coverage) {
        include(AuditPart::coverage);
    }
    if (plan.size.head_entries > 0) {
        include(AuditPart::few_heads);
    }
    return plan;
}

}  // namespace attest
