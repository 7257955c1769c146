#pragma once

#include "core/audit/factored_source.hpp"
#include "core/audit/verdict.hpp"
#include "core/certify/span.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// Is the output determined on each query? One entry a query, in order.
struct QueryAudit {
    DataVerdict verdict = DataVerdict::undecided;  ///< determined: all are; not_determined: one is
                                                   ///< not
    std::vector<QuerySpan> spans;
    Vector leverages;  ///< numerical; infinite outside the row space
    Index determined = 0;
    Index not_determined = 0;
    std::optional<std::string> proof;  ///< of the verdict, for attest-check
};

/// Holds every query against the row space of the data. `rank` is certify_rank(data). Throws
/// InvalidInput when queries and data disagree on d.
[[nodiscard]] QueryAudit audit_queries(const FactoredSource& data,
                                       const ExactRank& rank,
                                       const Dataset& queries);

}  // namespace attest
