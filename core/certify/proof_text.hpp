#pragma once

#include "core/data/sequence_source.hpp"
#include "core/exact/integer_rows.hpp"
#include "core/exact/lift.hpp"

#include <string>
#include <vector>

namespace attest {

/// The lines of a proof about a data set, in the grammar of proofs_check/checker/FORMAT.md, closed
/// by the digest of all before.
class ProofText {
public:
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
