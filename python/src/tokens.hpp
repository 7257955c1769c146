#pragma once

#include "core/data/strided_sequences.hpp"
#include "core/data/token_matrix.hpp"

#include <pybind11/pybind11.h>

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

}  // namespace attest::python
