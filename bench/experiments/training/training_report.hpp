#pragma once

#include "record/derive/derived.hpp"
#include "record/row.hpp"

#include <string>
#include <vector>

namespace attest {

/// One line per learner and setting: median and range of the final errors over seeds, how many
/// diverged, time.
[[nodiscard]] Table training_table(const std::vector<Row>& rows);

/// One line per training: every seed.
[[nodiscard]] Table seeds_table(const std::vector<Row>& rows);

/// Tables ID and ID_seeds, figures ID (error against epochs) and ID_cost (against updates and
/// seconds).
[[nodiscard]] Derived training_derived(const std::vector<Row>& rows,
                                       const std::string& id,
                                       const std::string& title);

}  // namespace attest
