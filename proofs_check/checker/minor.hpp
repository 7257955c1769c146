#pragma once
#include "proofs_check/checker/parse.hpp"

namespace attest::checker {
/// The line `prime` of a minor of this size (FORMAT.md §3).
[[nodiscard]] std::uint64_t read_prime(Reader& in, const Table& table, Index size);

/// A line of this word and `count` increasing indices below `limit`.
[[nodiscard]] std::vector<Index> read_list(Reader& in, const char* word, Index limit, Index count);

/// `count` lines `null`, the last indices of their vectors increasing.
[[nodiscard]] std::vector<Vector> read_nulls(Reader& in, Index count, Index column_limit);
}  // namespace attest::checker
