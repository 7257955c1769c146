#pragma once

#include "core/questions/audit.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// One layer of a larger model, and what was recorded of it.
struct RecordedLayer {
    std::string name;  ///< "model.layers.0.attn"
    Model model;
    Dataset records;
    std::optional<Dataset> held_out;
};

/// What an audit of all layers says of one.
struct AuditedLayer {
    std::string name;
    LayerAudit audit;
    AuditSummary summary;
    /// Another layer, which the records fit a thousand times better: they were mixed up.
    std::optional<std::string> records_fit;
};

/// Audits each layer on its own records, in order, with an equal part of the request's budget.
/// Names, held-out data and the command of the request are made for each. Where a layer's error is
/// large, every other layer of the same shape is tried on its records, one pass each. Throws as
/// audit_layer.
[[nodiscard]] std::vector<AuditedLayer> audit_layers(const std::vector<RecordedLayer>& layers,
                                                     const LayerAuditRequest& request);

/// No where some layer is not unique, else undecided where some is undecided, else yes.
[[nodiscard]] Decision decision(const std::vector<AuditedLayer>& layers);

}  // namespace attest
