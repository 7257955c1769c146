#pragma once

#include "core/data/archive/npz.hpp"
#include "core/model/parameters.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace attest {

/// Heads under two keys, V (H,o,d) and Q (H,d,d); absent when neither key is there. Throws
/// InvalidInput when only one is, when their shapes disagree, or at a NaN or infinity.
[[nodiscard]] std::optional<Parameters> read_heads(const NpzReader& file,
                                                   std::string_view key_V,
                                                   std::string_view key_Q);
void add_heads(NpzWriter& file,
               std::string_view key_V,
               std::string_view key_Q,
               const Parameters& theta);

/// Coefficients P, ψ×o, stored transposed as (o,ψ); absent when the key is. Throws InvalidInput
/// unless ψ = d²(d+1)/2 for some d, and at a NaN or infinity.
[[nodiscard]] std::optional<Matrix> read_coefficients(const NpzReader& file, std::string_view key);
void add_coefficients(NpzWriter& file, std::string_view key, const Matrix& P);

/// The d with ψ(d) = psi, or nothing.
[[nodiscard]] std::optional<Index> dimension_of_features(Index psi);

/// Matrix h of an array (H, rows, cols), and the other way round: its rows behind the array's.
[[nodiscard]] Matrix slice(const NpyArray& array, Index h);
void append_rows(NpyArray& array, const Matrix& A);

/// A matrix under a key, as it is stored. Throws InvalidInput for another rank, and at a NaN or
/// infinity.
[[nodiscard]] Matrix read_matrix(const NpzReader& file, std::string_view key);

/// Text under a key, stored as its UTF-8 bytes in a uint8 array; `what` it is, for messages. Throws
/// InvalidInput for another type or rank.
[[nodiscard]] std::string read_text(const NpzReader& file,
                                    std::string_view key,
                                    std::string_view what);
void add_text(NpzWriter& file, std::string_view key, std::string_view text);

/// JSON text under key "meta", stored as its UTF-8 bytes in a uint8 array; empty when the key is
/// absent. Throws InvalidInput when it is no JSON.
[[nodiscard]] std::string read_meta(const NpzReader& file);
void add_meta(NpzWriter& file, std::string_view meta);

}  // namespace attest
