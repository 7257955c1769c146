#pragma once

#include "core/data/opened_dataset.hpp"
#include "core/data/sources/moments.hpp"
#include "core/data/sources/sequences.hpp"
#include "core/data/token_matrix.hpp"

#include <pybind11/pybind11.h>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace attest::python {

// Arrays of native doubles as tokens, which are kept while somebody reads them. Both throw
// InvalidInput, naming the array `what`, for another type or rank.

/// (N,d,n), the tokens of all sequences, where they lie.
[[nodiscard]] StridedTokens tokens_of_sequences(const pybind11::buffer& array,
                                                const std::string& what);

/// The same tokens as columns that are borrowed, where each token's entries lie next to each other
/// and all tokens equally far apart.
[[nodiscard]] std::optional<TokenMatrix> as_columns(const StridedTokens& tokens);

/// (T,d), a token a row: borrowed where that can be, else one copy.
[[nodiscard]] TokenMatrix tokens_from_rows(const pybind11::buffer& array, const std::string& what);

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
