#pragma once

#include "core/data/moment_source.hpp"
#include "core/data/opened_dataset.hpp"
#include "core/data/strided_sequences.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace attest::python {

/// A data set, or one whose tokens stay in an array where no TokenMatrix can read them. Those are
/// copied a few megabytes at a time by whoever goes through the examples in order, and as a whole,
/// once, for whoever needs all of them.
class Data {
public:
    explicit Data(Dataset whole);
    /// `rest` is the data set without tokens. Throws InvalidInput where the two do not fit.
    Data(StridedTokens elsewhere, Dataset rest);

    [[nodiscard]] const SequenceSource& sequences() const { return *sequences_; }

    [[nodiscard]] SequenceShape shape() const { return sequences_->shape(); }

    /// All but the tokens, which may be absent.
    [[nodiscard]] const Dataset& rest() const { return data_; }

    [[nodiscard]] const Dataset& whole() const;

    /// d×T, a copy.
    [[nodiscard]] Matrix tokens() const;

    /// The examples for one call; `*this` must outlive it.
    [[nodiscard]] std::unique_ptr<const MomentSource> source(ReadingAs as) const;

    /// The same tokens with something else beside them. Throws InvalidInput where that does not
    /// fit.
    [[nodiscard]] std::unique_ptr<Data> with(const std::function<void(Dataset&)>& change) const;

    void set_meta(const std::string& meta);

private:
    Dataset data_;  ///< without tokens where they are elsewhere
    std::optional<StridedTokens> elsewhere_;
    std::unique_ptr<const SequenceSource> sequences_;
    mutable std::once_flag copied_;
    mutable Dataset whole_;  ///< once somebody asked for it, where tokens are elsewhere
};

}  // namespace attest::python
