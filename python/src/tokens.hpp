#pragma once

#include "core/data/token_matrix.hpp"

#include <pybind11/pybind11.h>

#include <string>

namespace attest::python {

// Arrays of native doubles as tokens. Where every token's entries lie next to each other and all
// tokens equally far apart the array is borrowed, and kept while it is: nothing is copied.
// Otherwise, one copy. Both throw InvalidInput, naming the array `what`, for another type or rank.

/// (N,d,n), the tokens of all sequences.
[[nodiscard]] TokenMatrix tokens_from_sequences(const pybind11::buffer& array,
                                                const std::string& what);

/// (T,d), a token a row.
[[nodiscard]] TokenMatrix tokens_from_rows(const pybind11::buffer& array, const std::string& what);

}  // namespace attest::python
