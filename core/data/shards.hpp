#pragma once

#include "core/data/archive/npz.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/dataset_header.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attest {

/// Consecutive tokens of one file: all of the sequences first … last−1, or a run inside a single
/// one, last = first + 1.
struct ShardRun {
    Index first;
    Index last;
    Index first_token;
    Index last_token;

    [[nodiscard]] Index num_tokens() const { return last_token - first_token; }
};

/// What one file of a data set says, but for its numbers.
struct ShardIndex {
    std::string path;
    DatasetLayout layout;
    std::vector<Index> offsets;  ///< of its own sequences, from 0
    std::vector<Index> query;    ///< empty: the last token of each asks
    /// Whether a run inside a sequence is read without the rest of it: tokens that lie one after
    /// the other, or a stored array.
    bool has_cheap_runs = false;

    [[nodiscard]] Index token(Index sequence) const {
        return offsets[static_cast<std::size_t>(sequence)];
    }

    /// The sequences first … last−1.
    [[nodiscard]] ShardRun whole(Index first, Index last) const {
        return {first, last, token(first), token(last)};
    }

    /// Whether the run has the last token of its last sequence.
    [[nodiscard]] bool is_ended(const ShardRun& run) const {
        return run.last_token == token(run.last);
    }
};

/// Throws InvalidInput as load_dataset of the file.
[[nodiscard]] ShardIndex read_shard_index(const std::string& path, const Layer& layer);

/// The numbers of one file, a run at a time. Where they were not checked before, every number read
/// must be finite, and going through all sequences in order compares the CRC of each array.
class ShardReader {
public:
    /// `index` must outlive it.
    ShardReader(const ShardIndex& index, Layer layer, MemberCheck check);

    /// The tokens with labels and what the layer reads, as sequences that begin and end with the
    /// run; no query. A run inside a sequence has the labels of its prefixes, or else the
    /// sequence's where it ends: o×1, or o×0.
    [[nodiscard]] Dataset read(const ShardRun& run);

    /// Columns of the labels, or of a key of the layer, that belong to the run.
    [[nodiscard]] Matrix labels(const ShardRun& run);
    [[nodiscard]] Matrix tokens(const ShardRun& run);
    [[nodiscard]] Matrix columns(std::size_t which, const ShardRun& run);

    /// Goes once through all arrays, element by element as they lie there, for what is checked.
    void check_all();

private:
    enum class ColumnsOf : std::uint8_t { tokens, examples };

    struct Array {
        std::string key;
        NpyStream stream;
    };

    [[nodiscard]] Array array(std::string_view key) const;
    void read_elements(Array& from, Index first, std::span<double> to);
    /// The columns, one a token or one an example, that belong to the run.
    [[nodiscard]] Matrix read_columns(Array& from, Index rows, ColumnsOf what, const ShardRun& run);

    const ShardIndex& index_;
    Layer layer_;
    MemberCheck check_;
    NpzReader file_;
    std::optional<Array> tokens_;
    std::optional<Array> labels_;
    std::vector<Array> columns_;
};

/// The *.npz of a folder in natural order, part-2 before part-10. Throws InvalidInput where there
/// is none.
[[nodiscard]] std::vector<std::string> shards_of(const std::string& folder);

/// Whether text `a` comes before `b` when runs of digits count as numbers.
[[nodiscard]] bool naturally_before(std::string_view a, std::string_view b);

/// Throws InvalidInput, naming `shard`, unless two shards agree in d, o, kind of labels and the
/// sizes of what the layer reads.
void require_agreement(const std::string& shard,
                       const DatasetLayout& found,
                       const std::string& expected_of,
                       const DatasetLayout& expected);

/// The shards of a folder as one data set, one after the other; ground truth and meta are those of
/// the first. Headers are compared before any number is read. Throws as load_dataset of each.
[[nodiscard]] DatasetReading load_shards(const std::string& folder,
                                         InvalidExamples policy,
                                         const Layer& layer);

/// Data sets one after the other, at least one. O(total · log parts).
[[nodiscard]] Dataset joined(std::vector<Dataset> parts);

}  // namespace attest
