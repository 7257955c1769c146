#pragma once

#include "core/data/archive/npz.hpp"
#include "core/data/dataset.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// What to do with a sequence that holds a NaN or an infinity, in its tokens or its labels.
enum class InvalidExamples : std::uint8_t {
    reject,  ///< InvalidInput naming the place
    skip,    ///< leave the sequence out and count it
};

[[nodiscard]] std::string_view to_string(InvalidExamples policy);

/// A data set with what was left out on the way.
struct DatasetReading {
    Dataset data;
    std::vector<Index> skipped;  ///< numbers of the sequences dropped under InvalidExamples::skip
    std::vector<std::string> ignored;  ///< keys of the file that belong to no data set
};

/// What to do where a data set does not fit, in words.
inline constexpr std::string_view kReadingAlternative =
    "use fewer sequences, a larger machine or what reads in parts (docs/scale.md)";

/// Reads a data set as described in docs/formats.md, with what the layer reads beside the tokens.
/// A path of a folder stands for the shards in it, one after the other.
/// Every defect of the file is an InvalidInput of one line naming file, key, what was found, what
/// was expected and how to fix it; a set too large for the memory is an EnvironmentFailure before
/// anything is allocated. O(file size).
[[nodiscard]] DatasetReading load_dataset(const NpzReader& file,
                                          InvalidExamples policy,
                                          const Layer& layer = {});
[[nodiscard]] DatasetReading load_dataset(const std::string& path,
                                          InvalidExamples policy,
                                          const Layer& layer = {});

/// The same without the report.
[[nodiscard]] Dataset read_dataset(const std::string& path,
                                   InvalidExamples policy = InvalidExamples::reject,
                                   const Layer& layer = {});

/// Writes a data set: Z (N,d,n) when all lengths are equal, else tokens (T,d) and offsets. The same
/// data set gives the same bytes. Throws InvalidInput as check(data); EnvironmentFailure when the
/// file cannot be written, and then leaves none behind.
void write_dataset(const std::string& path,
                   const Dataset& data,
                   Compression compression = Compression::stored);

/// A sequence of Z (N,d,n), d rows of n entries, to the columns of `tokens`, d×n.
void copy_feature_major(const double* rows, Eigen::Ref<Matrix> tokens);

/// The keys that the layer reads beside the sequences and labels.
[[nodiscard]] std::vector<std::string_view> layer_keys(const Layer& layer);

/// The member of LayerColumns that holds a key's columns, and whether they belong to tokens; to
/// examples otherwise.
struct ColumnKey {
    Matrix LayerColumns::*member;
    bool of_tokens;
};

[[nodiscard]] ColumnKey column_key(std::string_view key);

/// Rows of the columns under a key, `count` of them in all: one for each example or token. The
/// array is of shape (count, rows), or (N, n, rows) where there are n tokens or labelled prefixes
/// in each of the N sequences; gates and beta of one number each have no last axis. Throws
/// InvalidInput for another shape: whose rows they are could not be told.
[[nodiscard]] Index column_rows(const NpzReader& file,
                                std::string_view key,
                                Index num_sequences,
                                Index count);

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
