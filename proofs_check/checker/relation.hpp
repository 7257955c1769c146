#pragma once

#include "proofs_check/checker/parse.hpp"

namespace attest::checker {

/// What a relation between rows leaves of the examples' labels, and Σ v² over the proof's vector.
struct Relation {
    std::vector<Integer> labels;
    Integer norm;
    /// Does it break the labels?
    [[nodiscard]] bool breaks() const;
};

/// The vector over the examples that comes next in the proof, together with these terms: its
/// features must cancel.
[[nodiscard]] Relation read_relation(Reader& in, const Table& table, Terms terms = {});

/// The evidence of `inexpressible`, behind the word (FORMAT.md §4).
void check_inexpressible(Reader& in, const Table& table);

/// The line `prime` of a minor of this size (FORMAT.md §3).
[[nodiscard]] std::uint64_t read_prime(Reader& in, const Table& table, Index size);

/// A line of this word and `count` increasing indices below `limit`.
[[nodiscard]] std::vector<Index> read_list(Reader& in, const char* word, Index limit, Index count);

/// `count` lines `null`, the last indices of their vectors increasing.
[[nodiscard]] std::vector<Vector> read_nulls(Reader& in, Index count, Index column_limit);

}  // namespace attest::checker
