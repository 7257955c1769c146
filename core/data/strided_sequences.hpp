#pragma once

#include "core/data/sequence_source.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace attest {

/// Sequences of one length in somebody else's memory, whatever the distances: entry (j, t) of
/// sequence i stands i·sequence + j·entry + t·token bytes behind `first`, aligned or not.
struct StridedTokens {
    const std::byte* first = nullptr;
    Index num_sequences = 0;
    Index d = 0;
    Index length = 0;  ///< tokens of a sequence
    std::ptrdiff_t sequence = 0;
    std::ptrdiff_t entry = 0;
    std::ptrdiff_t token = 0;
    std::shared_ptr<const void> keeper;  ///< keeps the memory while anybody reads it

    [[nodiscard]] Index num_tokens() const { return num_sequences * length; }

    /// Tokens first … first+count−1 of all sequences, d×count. One copy.
    [[nodiscard]] Matrix copied(Index first_token, Index count) const;
};

/// Tokens that lie entry by entry, as no TokenMatrix can read them, with what else their data set
/// holds: of the tokens a few megabytes are copied at a time.
class StridedSequences final : public SequenceSource {
public:
    /// `rest` is the data set without tokens, of a layer that reads no columns beside them, and
    /// must outlive it. Throws InvalidInput as check() of the whole.
    StridedSequences(StridedTokens tokens, const Dataset& rest);

    [[nodiscard]] SequenceShape shape() const override;
    void for_each_part(const std::function<void(const Dataset&)>& visit) const override;
    [[nodiscard]] Dataset examples(Index first, Index last) const override;
    [[nodiscard]] std::string digest() const override;

private:
    [[nodiscard]] Index sequences_of_part() const;

    StridedTokens tokens_;
    const Dataset& rest_;
};

}  // namespace attest
