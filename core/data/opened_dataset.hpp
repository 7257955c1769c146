#pragma once

#include "core/data/dataset_file.hpp"
#include "core/data/moment_source.hpp"

#include <memory>
#include <string>

namespace attest {

/// A data set for whoever goes through its examples in order: in memory where it takes at most half
/// of the limit, else in parts. Which of the two changes no bit of what is made of its blocks.
struct OpenedDataset {
    std::unique_ptr<Dataset> whole;  ///< null where it is read in parts
    std::unique_ptr<const SequenceSource> sequences;
    std::unique_ptr<const MomentSource> source;
};

/// What will read the data.
enum class ReadingAs : std::uint8_t {
    parts,  ///< examples in order
    whole,  ///< all tokens at once
};

/// Opens a file or a folder of shards. Sequences that hold a NaN can be skipped in memory only.
/// Throws as load_dataset.
[[nodiscard]] OpenedDataset open_dataset(const std::string& path,
                                         InvalidExamples policy,
                                         const Layer& layer,
                                         ReadingAs as = ReadingAs::parts);

}  // namespace attest
