#pragma once

#include "core/data/archive/npz.hpp"
#include "core/data/dataset.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attest {

/// What mends an example that holds a NaN or an infinity, as require_finite says it.
inline constexpr std::string_view kMendExample = "remove the example or pass --skip-invalid";

/// The three ways a data-set file holds its sequences.
enum class SequenceForm : std::uint8_t {
    feature_major,  ///< Z (N,d,n)
    token_major,    ///< tokens (N,n,d)
    ragged,         ///< tokens (T,d) with offsets (N+1)
};

/// What the headers of a data-set file say, all shapes checked against each other before any
/// element is read.
struct DatasetLayout {
    SequenceForm form = SequenceForm::feature_major;
    std::string sequence_key;  ///< "Z", "tokens", "context" or "s"
    Index d = 0;
    Index o = 0;  ///< 0 without labels
    Index num_sequences = 0;
    Index length = 0;  ///< n; 0 when ragged
    Index num_tokens = 0;
    LabelKind labels = LabelKind::none;
    std::string label_key;             ///< "y", "y_prefix" or empty
    std::vector<std::string> ignored;  ///< keys that belong to no data set
    /// Keys of what the layer reads beside tokens and labels, and their rows.
    std::vector<std::pair<std::string_view, Index>> columns;

    [[nodiscard]] Index num_examples() const {
        return labels == LabelKind::per_prefix ? num_tokens : num_sequences;
    }

    [[nodiscard]] LayerInput layer_input() const;
};

/// Of a file to be read by `layer`: for `moments` there are no sequences, and every example counts
/// as one of a single token. Throws InvalidInput for a missing or contradicting key, a wrong rank,
/// type or size.
[[nodiscard]] DatasetLayout read_layout(const NpzReader& file, const Layer& layer);

/// Bytes that reading the keys of a data set takes at most: every array as doubles, the largest of
/// them once more as doubles and once as stored.
[[nodiscard]] double reading_bytes(const NpzReader& file, const Layer& layer);

/// Form, key, number and sizes of the sequences in a file. Throws InvalidInput for a missing or
/// contradicting key, a wrong rank or size.
void read_sequences(const NpzReader& file, const Layer& layer, DatasetLayout& layout);

/// Examples without tokens: a sequence each, of one token without entries.
void read_supplied(const NpzReader& file, DatasetLayout& layout);

/// Throws InvalidInput where a key is there that contradicts another, as `reason` says.
void require_absent(const NpzReader& file, std::string_view key, std::string_view reason);

/// Where each sequence of a file begins, as Dataset::offsets. Throws InvalidInput unless they
/// ascend from 0 to the number of tokens.
[[nodiscard]] std::vector<Index> read_offsets(const NpzReader& file, const DatasetLayout& layout);

/// The query columns as Dataset::query; empty where the file has none. Throws InvalidInput where
/// one is not in its sequence.
[[nodiscard]] std::vector<Index> read_query(const NpzReader& file,
                                            const std::vector<Index>& offsets);

}  // namespace attest
