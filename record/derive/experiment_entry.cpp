#include "record/derive/experiment_entry.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>

namespace attest {

const ExperimentEntry& entry_named(std::span<const ExperimentEntry> entries, std::string_view id) {
    const auto found = std::find_if(entries.begin(),
                                    entries.end(),
                                    [&](const ExperimentEntry& entry) { return entry.id == id; });
    if (found != entries.end()) {
        return *found;
    }
    std::vector<std::string> ids;
    for (const ExperimentEntry& entry : entries) {
        ids.push_back(entry.id);
    }
    throw UnknownName(
        formatted("experiment: got '{}', nearest: {}; `attest reproduce --help` lists all {}",
                  id,
                  nearest_name(id, ids),
                  ids.size()));
}

Derived derive(const ExperimentEntry& entry, const std::vector<Row>& rows) {
    return entry.derive_numbered(numbered(rows));
}

}  // namespace attest
