#include "core/data/opened_dataset.hpp"

#include "core/base/memory.hpp"
#include "core/data/dataset_layout.hpp"
#include "core/data/shards.hpp"
#include "core/data/sliced_source.hpp"
#include "core/data/streamed_dataset.hpp"

namespace attest {

namespace {

double all_reading_bytes(const std::string& path, const Layer& layer) {
    if (!is_folder(path)) {
        return reading_bytes(NpzReader::open(path), layer);
    }
    double bytes = 0.0;
    for (const std::string& shard : shards_of(path)) {
        bytes += 2.0 * reading_bytes(NpzReader::open(shard), layer);  // joining copies them
    }
    return bytes;
}

}  // namespace

OpenedDataset open_dataset(const std::string& path,
                           InvalidExamples policy,
                           const Layer& layer,
                           ReadingAs as) {
    OpenedDataset opened;
    if (as == ReadingAs::parts && policy == InvalidExamples::reject &&
        2.0 * all_reading_bytes(path, layer) > memory_limit()) {
        opened.sequences = std::make_unique<StreamedDataset>(path, layer);
        opened.source = std::make_unique<SlicedSource>(*opened.sequences);
    } else {
        opened.whole = std::make_unique<Dataset>(read_dataset(path, policy, layer));
        opened.sequences = std::make_unique<SequencesInMemory>(*opened.whole);
        opened.source = std::make_unique<DatasetSource>(*opened.whole);
    }
    return opened;
}

}  // namespace attest
