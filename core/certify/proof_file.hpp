#pragma once

#include "core/certify/enclosure.hpp"
#include "core/certify/exact_rank.hpp"
#include "core/certify/grouped_rank.hpp"
#include "core/certify/span.hpp"

#include <optional>
#include <string>

namespace attest {

// Proofs in the format of proofs_check/checker/FORMAT.md, which attest-check verifies without any
// of our code. Each function returns the whole file, or nothing when the evidence at hand does not
// prove its claim.

/// `full-rank`, `rank R` or `deficient`, the strongest that `rank` has evidence for.
[[nodiscard]] std::optional<std::string> rank_proof(const SequenceSource& data,
                                                    const ExactRank& rank);

[[nodiscard]] inline std::optional<std::string> rank_proof(const Dataset& data,
                                                           const ExactRank& rank) {
    return rank_proof(SequencesInMemory(data), rank);
}

/// `grouped R`; nothing where the groups leave the rank open.
[[nodiscard]] std::optional<std::string> grouped_proof(const Dataset& data,
                                                       const GroupedRank& rank);

/// `lambda-min LO HI`.
[[nodiscard]] std::string lambda_min_proof(const SequenceSource& data,
                                           const LambdaMinEnclosure& enclosure);

/// `determined K…`: every query that is determined, through the pivots and the complete null basis
/// of the data.
[[nodiscard]] std::optional<std::string> determined_proof(const Dataset& data,
                                                          const ExactRank& rank,
                                                          const Dataset& queries,
                                                          const std::vector<QuerySpan>& spans);

/// `undetermined K…`: the queries that one verified null vector tells from the data, most of them
/// first.
[[nodiscard]] std::optional<std::string> undetermined_proof(const Dataset& data,
                                                            const ExactRank& rank,
                                                            const Dataset& queries,
                                                            const std::vector<QuerySpan>& spans);

}  // namespace attest
