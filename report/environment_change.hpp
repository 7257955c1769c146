#pragma once

#include "report/comparison.hpp"

#include <utility>
#include <vector>

namespace attest {

/// One file of rows, before and after.
using EntryPair = std::pair<const ResultEntry*, const ResultEntry*>;

/// Whether run times can be compared: processor, compiler with its flags, and linear algebra.
[[nodiscard]] bool same_machine(const Provenance& before, const Provenance& after);

/// Facts of code, configuration and machine that differ, those of several files together.
[[nodiscard]] std::vector<Change> environment_changes(const std::vector<EntryPair>& pairs);

}  // namespace attest
