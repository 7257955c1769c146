#pragma once

#include "core/certify/numerical/enclosure.hpp"
#include "core/certify/rank/exact_rank.hpp"
#include "core/certify/rank/grouped_rank.hpp"
#include "core/certify/span.hpp"
#include "core/data/sources/sequences.hpp"
#include "core/exact/integer_rows.hpp"
#include "core/exact/lift.hpp"

#include <optional>
#include <string>
#include <vector>

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
[[nodiscard]] std::optional<std::string> grouped_proof(const SequenceSource& data,
                                                       const GroupedRank& rank);

[[nodiscard]] inline std::optional<std::string> grouped_proof(const Dataset& data,
                                                              const GroupedRank& rank) {
    return grouped_proof(SequencesInMemory(data), rank);
}

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

/// The lines of a proof about a data set, in the grammar of proofs_check/checker/FORMAT.md, closed
/// by the digest of all before.
class ProofText {
public:
    /// The first line alone: of a proof that is about no data.
    ProofText();
    /// The first line, `data` and, but for the paper's, `layer`.
    explicit ProofText(const SequenceSource& data);

    explicit ProofText(const Dataset& data) : ProofText(SequencesInMemory(data)) {}

    /// `role` is data or queries.
    void problem(const char* role, const SequenceSource& data);

    void problem(const char* role, const Dataset& data) { problem(role, SequencesInMemory(data)); }

    void line(const std::string& content) { text_ += content + "\n"; }

    /// The word and the numbers, ascending.
    void indices(const std::string& word, std::vector<Index> values);
    /// The word and INDEX:INTEGER for every entry that is not 0.
    void vector(const std::string& word, const IntegerVector& v);
    /// MINOR: prime, rows and columns.
    void minor(const RankProfile& profile);
    [[nodiscard]] std::string finish() const;

private:
    std::string text_;
};

}  // namespace attest
