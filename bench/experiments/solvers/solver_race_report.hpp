#pragma once

#include "record/derive/derived.hpp"
#include "record/row.hpp"

#include <string>
#include <vector>

namespace attest {

/// A table for each size and number of threads.
[[nodiscard]] std::string solver_race_text(const std::vector<Row>& rows);

/// Tables solver_race_dD_threadsT.
[[nodiscard]] Derived solver_race_derived(const std::vector<Row>& rows);

}  // namespace attest
