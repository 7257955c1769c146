#pragma once

#include "core/data/dataset_file.hpp"
#include "core/data/dataset_layout.hpp"

#include <string>
#include <vector>

namespace attest {

/// Whether a path names a folder, which stands for the data set whose shards it holds.
[[nodiscard]] bool is_folder(const std::string& path);

/// The *.npz of a folder in natural order, part-2 before part-10. Throws InvalidInput where there
/// is none.
[[nodiscard]] std::vector<std::string> shards_of(const std::string& folder);

/// Whether text `a` comes before `b` when runs of digits count as numbers.
[[nodiscard]] bool naturally_before(std::string_view a, std::string_view b);

/// Throws InvalidInput, naming `shard`, unless two shards agree in d, o, kind of labels and the
/// sizes of what the layer reads.
void require_agreement(const std::string& shard,
                       const DatasetLayout& found,
                       const std::string& first_shard,
                       const DatasetLayout& first);

/// The shards of a folder as one data set, one after the other; ground truth and meta are those of
/// the first. Headers are compared before any number is read. Throws as load_dataset of each.
[[nodiscard]] DatasetReading load_shards(const std::string& folder,
                                         InvalidExamples policy,
                                         const Layer& layer);

/// Data sets one after the other, at least one. O(total · log parts).
[[nodiscard]] Dataset joined(std::vector<Dataset> parts);

}  // namespace attest
