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

/// A data set but for its numbers. `offsets` and `query` belong to the source.
struct SequenceShape {
    Index d = 0;
    Index o = 0;  ///< 0 without labels
    LabelKind labels = LabelKind::none;
    Layer layer;
    LayerInput input;
    std::span<const Index> offsets;  ///< as Dataset::offsets
    std::span<const Index> query;    ///< as Dataset::query

    [[nodiscard]] Index num_sequences() const { return std::ssize(offsets) - 1; }

    [[nodiscard]] Index num_tokens() const { return offsets.empty() ? 0 : offsets.back(); }

    [[nodiscard]] Index num_examples() const {
        return labels == LabelKind::per_prefix ? num_tokens() : num_sequences();
    }

    /// First token of sequence i; num_tokens() for i = num_sequences().
    [[nodiscard]] Index first_token(Index i) const { return offsets[static_cast<std::size_t>(i)]; }

    /// Number of the token that asks in sequence i.
    [[nodiscard]] Index query_token(Index i) const {
        return query.empty() ? first_token(i + 1) - 1
                             : first_token(i) + query[static_cast<std::size_t>(i)];
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

    /// Tokens first … first+count−1 of all sequences, d×count.
    [[nodiscard]] virtual Matrix tokens(Index first, Index count) const = 0;

    /// Labels of the examples first … first+count−1, o×count; 0×count without labels.
    [[nodiscard]] virtual Matrix labels(Index first, Index count) const = 0;

    /// Calls visit for parts of whole sequences, however long, consecutive and in order, all of
    /// them. Parts have neither ground truth nor meta, unless one is the whole.
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

/// Consecutive tokens, wherever sequences begin and end, and the labels of the examples that end
/// among them.
struct TokenRun {
    Index first_token;
    Index first_example;
    Eigen::Ref<const Matrix> tokens;  ///< d×count
    Eigen::Ref<const Matrix> labels;  ///< o×examples

    [[nodiscard]] Index end() const { return first_token + tokens.cols(); }
};

/// Examples first … last−1 as SequenceSource::examples, from the tokens and labels of a source
/// whose layer reads no columns beside them.
[[nodiscard]] Dataset run_of_examples(const SequenceSource& data, Index first, Index last);

/// Of the tokens of a run, a megabyte: they stay in the cache while their moments are formed.
inline constexpr Index kRunNumbers = Index{1} << 17;

/// Calls visit for runs of the tokens first … last−1 of all sequences, in order: of kRunNumbers,
/// however long a sequence is, or of all at once where they lie in memory.
void for_each_run(const SequenceSource& data,
                  Index first,
                  Index last,
                  const std::function<void(const TokenRun& run)>& visit);

/// A data set in memory, which must outlive this.
class SequencesInMemory final : public SequenceSource {
public:
    explicit SequencesInMemory(const Dataset& data) : data_(data) {}

    [[nodiscard]] SequenceShape shape() const override { return sequence_shape(data_); }

    [[nodiscard]] Matrix tokens(Index first, Index count) const override {
        return data_.tokens.middleCols(first, count);
    }

    [[nodiscard]] Matrix labels(Index first, Index count) const override;

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
/// leaves sizes as they are and treats every token alike, and every label. The other source must
/// outlive this.
class ChangedSequences final : public SequenceSource {
public:
    ChangedSequences(const SequenceSource& source, std::function<void(Dataset&)> change)
        : source_(source), change_(std::move(change)) {}

    [[nodiscard]] SequenceShape shape() const override { return source_.shape(); }

    [[nodiscard]] Matrix tokens(Index first, Index count) const override;
    [[nodiscard]] Matrix labels(Index first, Index count) const override;
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

    [[nodiscard]] Matrix tokens(Index first, Index count) const override {
        return tokens_.copied(first, count);
    }

    [[nodiscard]] Matrix labels(Index first, Index count) const override;
    void for_each_part(const std::function<void(const Dataset&)>& visit) const override;
    [[nodiscard]] Dataset examples(Index first, Index last) const override;
    [[nodiscard]] std::string digest() const override;

private:
    [[nodiscard]] Index sequences_of_part() const;

    StridedTokens tokens_;
    const Dataset& rest_;
};

}  // namespace attest
