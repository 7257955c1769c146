#pragma once

#include "core/data/dataset_layout.hpp"

#include <vector>

namespace attest {

/// Where each sequence of a file begins, as Dataset::offsets. Throws InvalidInput unless they
/// ascend from 0 to the number of tokens.
[[nodiscard]] std::vector<Index> read_offsets(const NpzReader& file, const DatasetLayout& layout);

/// The query columns as Dataset::query; empty where the file has none. Throws InvalidInput where
/// one is not in its sequence.
[[nodiscard]] std::vector<Index> read_query(const NpzReader& file,
                                            const std::vector<Index>& offsets);

}  // namespace attest
