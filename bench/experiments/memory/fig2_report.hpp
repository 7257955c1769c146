#pragma once

#include "record/derive/derived.hpp"
#include "record/row.hpp"

#include <string>
#include <vector>

namespace attest {

/// One line per mixture and learner, medians over seeds.
[[nodiscard]] std::string fig2_text(const std::vector<Row>& rows);

/// Tables fig2_distance_TEACHER, fig2_ood_TEACHER and fig2_rank, figure fig2.
[[nodiscard]] Derived fig2_derived(const std::vector<Row>& rows);

}  // namespace attest
