#pragma once

#include "record/derive/experiment_entry.hpp"

#include <span>

namespace attest {

/// Every experiment, in the order in which `attest reproduce all` runs them.
[[nodiscard]] std::span<const ExperimentEntry> experiments();

}  // namespace attest
