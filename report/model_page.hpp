#pragma once

#include "core/questions/audit_layers.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace attest {

/// What an audit of all layers is about.
struct ModelNames {
    std::string weights;
    std::string records;  ///< a folder
};

/// One line a layer, for a terminal: unique, rank, errors, alarms; then the alarms and what to do.
[[nodiscard]] std::string model_table(const std::vector<AuditedLayer>& layers);

/// {layers: [{layer, unique, …}], alarms}; docs/json.md lists the keys.
[[nodiscard]] nlohmann::ordered_json model_json(const std::vector<AuditedLayer>& layers);

/// One page about a model: a row a layer, then for each what was seen, what to do and what the
/// budget kept out; with model_json as data. Self-contained, and runs no script.
[[nodiscard]] std::string model_page(const std::vector<AuditedLayer>& layers,
                                     const ModelNames& names);

}  // namespace attest
