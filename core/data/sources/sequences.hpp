#pragma once

#include "core/data/dataset.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attest {

/// A data set but for its numbers. `offsets` belong to the source.
struct SequenceShape {
    Index d = 0;
    Index o = 0;  ///< 0 without labels
    LabelKind labels = LabelKind::none;
    Layer layer;
    LayerInput input;
    std::span<const Index> offsets;  ///< as Dataset::offsets

    [[nodiscard]] Index num_sequences() const { return std::ssize(offsets) - 1; }

    [[nodiscard]] Index num_tokens() const { return offsets.empty() ? 0 : offsets.back(); }

    [[nodiscard]] Index num_examples() const {
        return labels == LabelKind::per_prefix ? num_tokens() : num_sequences();
    }

    [[nodiscard]] FeatureLayout layout() const { return layout_of(layer, input); }
};

[[nodiscard]] SequenceShape sequence_shape(const Dataset& data);

/// Sequences and labels, in memory or in files: whatever needs tokens of all data, but never all at
/// once, reads them by this. Any number of threads may ask.
class SequenceSource {
public:
    SequenceSource() = default;
    SequenceSource(const SequenceSource&) = delete;
    SequenceSource& operator=(const SequenceSource&) = delete;
    SequenceSource(SequenceSource&&) = delete;
    SequenceSource& operator=(SequenceSource&&) = delete;
    virtual ~SequenceSource() = default;

    [[nodiscard]] virtual SequenceShape shape() const = 0;

    /// Calls visit for parts of whole sequences, consecutive and in order, all of them. Parts have
    /// neither ground truth nor meta, unless one is the whole.
    virtual void for_each_part(const std::function<void(const Dataset&)>& visit) const = 0;

    /// Examples first … last−1. The tokens of a first prefix may begin inside its sequence: offsets
    /// are then those of the sequences that begin later. Other layers than the paper's need whole
    /// sequences.
    [[nodiscard]] virtual Dataset examples(Index first, Index last) const = 0;

    /// digest() of the whole.
    [[nodiscard]] virtual std::string digest() const = 0;

    /// All of it, where it lies in memory; else null.
    [[nodiscard]] virtual const Dataset* whole() const { return nullptr; }
};

/// Examples first … last−1 of a data set, its tokens from whoever has them: `tokens` is asked for
/// d×count of them from `first_token` on. For layers that read no columns beside the tokens.
[[nodiscard]] Dataset run_of_examples(
    const Dataset& data,
    Index first,
    Index last,
    const std::function<Matrix(Index first_token, Index count)>& tokens);

/// A data set in memory, which must outlive this.
class SequencesInMemory final : public SequenceSource {
public:
    explicit SequencesInMemory(const Dataset& data) : data_(data) {}

    [[nodiscard]] SequenceShape shape() const override { return sequence_shape(data_); }

    void for_each_part(const std::function<void(const Dataset&)>& visit) const override {
        visit(data_);
    }

    [[nodiscard]] Dataset examples(Index first, Index last) const override;

    [[nodiscard]] std::string digest() const override { return attest::digest(data_); }

    [[nodiscard]] const Dataset* whole() const override { return &data_; }

private:
    const Dataset& data_;
};

/// Another source's sequences, each part and each run of examples changed on the way; `change`
/// leaves sizes as they are and treats every token alike. The other source must outlive this.
class ChangedSequences final : public SequenceSource {
public:
    ChangedSequences(const SequenceSource& source, std::function<void(Dataset&)> change)
        : source_(source), change_(std::move(change)) {}

    [[nodiscard]] SequenceShape shape() const override { return source_.shape(); }

    void for_each_part(const std::function<void(const Dataset&)>& visit) const override;
    [[nodiscard]] Dataset examples(Index first, Index last) const override;
    /// Holds all of it at once.
    [[nodiscard]] std::string digest() const override;

private:
    const SequenceSource& source_;
    std::function<void(Dataset&)> change_;
};

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
