#pragma once

#include "record/experiment.hpp"

namespace attest::test {

/// The row that run_experiment would write for a case, without its time.
[[nodiscard]] inline Row row_of(const Case& one) {
    const CaseOutcome outcome = one.run();
    Row row;
    row.key = one.key;
    row.status = outcome.status;
    row.message = outcome.message;
    row.metrics = outcome.metrics;
    row.evidence = outcome.evidence;
    return row;
}

}  // namespace attest::test
