#pragma once

#include "core/data/dataset_file.hpp"
#include "core/data/npz.hpp"

#include <string_view>
#include <vector>

namespace attest {

/// The keys that the layer reads beside the sequences and labels.
[[nodiscard]] std::vector<std::string_view> layer_keys(const Layer& layer);

/// The member of LayerColumns that holds a key's columns, and whether they belong to tokens; to
/// examples otherwise.
struct ColumnKey {
    Matrix LayerColumns::*member;
    bool of_tokens;
};

[[nodiscard]] ColumnKey column_key(std::string_view key);

/// Rows of the columns under a key, `count` of them in all: one for each example or token, `each`.
/// Throws InvalidInput where the array's shape does not say so.
[[nodiscard]] Index column_rows(const NpzReader& file,
                                std::string_view key,
                                Index count,
                                std::string_view each);

/// What data.layer reads of the file beside tokens and labels: x (N,d_x), for prefixes (N,n,d_x) or
/// (T,d_x); phi (N,n,m) or (T,m); gates (N,n), (T,) or with a last axis of key coordinates; s (N,q)
/// and u (N,m). Sequences, offsets and label kind of `data` are known. Throws InvalidInput where
/// their shapes do not fit, and at a NaN or infinity unless sequences with some are skipped.
[[nodiscard]] LayerColumns read_layer_columns(const NpzReader& file,
                                              const Dataset& data,
                                              InvalidExamples policy);

/// Adds them to a file as they are read, one row an example or a token.
void add_layer_columns(NpzWriter& file, const Dataset& data);

}  // namespace attest
