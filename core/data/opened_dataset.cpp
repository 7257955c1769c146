#include "core/data/opened_dataset.hpp"

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/data/canonical_hash.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/dataset_header.hpp"
#include "core/data/shards.hpp"
#include "core/data/sources/moments.hpp"

#include <algorithm>
#include <utility>

namespace attest {

namespace {

/// What the sequences first … last − 1 consist of: tokens and what stands beside each, labels and
/// columns of whole sequences.
Index numbers_of(const ShardIndex& shard, Index first, Index last) {
    const bool prefixes = shard.layout.labels == LabelKind::per_prefix;
    Index of_token = shard.layout.d + (prefixes ? shard.layout.o : 0);
    Index of_sequence = prefixes ? 0 : shard.layout.o;
    for (const auto& [key, rows] : shard.layout.columns) {
        (column_key(key).of_tokens || prefixes ? of_token : of_sequence) += rows;
    }
    return (shard.token(last) - shard.token(first)) * of_token + (last - first) * of_sequence;
}

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

StreamedDataset::StreamedDataset(const std::string& path, const Layer& layer, Index chunk_numbers)
    : StreamedDataset(path,
                      is_folder(path) ? shards_of(path) : std::vector<std::string>{path},
                      layer,
                      chunk_numbers) {}

StreamedDataset::StreamedDataset(const std::vector<std::string>& shards,
                                 const Layer& layer,
                                 Index chunk_numbers)
    : StreamedDataset(shards.empty() ? "no shard" : shards.front(), shards, layer, chunk_numbers) {}

StreamedDataset::StreamedDataset(const std::string& name,
                                 const std::vector<std::string>& shards,
                                 Layer layer,
                                 Index chunk_numbers)
    : layer_(std::move(layer)) {
    require(!shards.empty(), "{} is named, expected one or more", name);
    offsets_.push_back(0);
    for (const std::string& shard : shards) {
        add_shard(shard);
    }
    if (std::all_of(shards_.begin(), shards_.end(), [](const ShardIndex& shard) {
            return shard.query.empty();
        })) {
        query_.clear();
    }
    cut_into_chunks(chunk_numbers);
    require_chunk_memory(name);
    check_numbers();
}

void StreamedDataset::add_shard(const std::string& path) {
    shards_.push_back(read_shard_index(path, layer_));
    const ShardIndex& shard = shards_.back();
    require_agreement(path, shard.layout, shards_.front().path, shards_.front().layout);
    const Index before = offsets_.back();
    for (Index i = 0; i < shard.layout.num_sequences; ++i) {
        offsets_.push_back(before + shard.token(i + 1));
        query_.push_back(shard.query.empty() ? shard.token(i + 1) - shard.token(i) - 1
                                             : shard.query[static_cast<std::size_t>(i)]);
    }
}

/// A block of examples then lies in one chunk, or in two where shards meet; of prefixes, in the
/// chunks of its sequences. Blocks of long sequences are cut: what is read of them is a few
/// sequences at a time anyway.
void StreamedDataset::cut_into_chunks(Index chunk_numbers) {
    Index before = 0;
    for (std::size_t k = 0; k < shards_.size(); ++k) {
        const ShardIndex& shard = shards_[k];
        const Index count = shard.layout.num_sequences;
        const Index step = shard.layout.labels == LabelKind::per_prefix ? 1 : kMomentBlock;
        for (Index first = 0; first < count;) {
            const auto fits = [&](Index last) {
                return numbers_of(shard, first, last) <= chunk_numbers;
            };
            // Up to a multiple of `step` in the data set.
            const auto end_of_block = [&](Index last) {
                return std::min(count, ((before + last) / step + 1) * step - before);
            };
            Index last = first;
            while (last < count && fits(end_of_block(last))) {
                last = end_of_block(last);
            }
            const auto inside_block = [&] { return last < count && (before + last) % step != 0; };
            while (last == first || (inside_block() && fits(last + 1))) {
                ++last;
            }
            chunks_.push_back({k, first, last, before + first});
            first = last;
        }
        before += count;
    }
}

void StreamedDataset::require_chunk_memory(const std::string& name) const {
    Index largest = 0;
    for (const Chunk& chunk : chunks_) {
        largest = std::max(largest, numbers_of(shards_[chunk.shard], chunk.first, chunk.last));
    }
    // Two chunks, one on its way as it is stored and as it is read, a run of examples of it and
    // what is made of that; and every sequence's place, here and in its shard.
    require_memory(
        8.0 * (6.0 * static_cast<double>(largest) + 4.0 * static_cast<double>(offsets_.size())),
        formatted("{}: reading it in parts", name),
        "sequences are read whole; raise the limit or use a larger machine");
}

Dataset StreamedDataset::read_chunk(ShardReader& reader, const Chunk& chunk) const {
    Dataset part = reader.read(chunk.first, chunk.last);
    if (!query_.empty()) {
        const auto begin = query_.begin() + chunk.sequence;
        part.query.assign(begin, begin + (chunk.last - chunk.first));
    }
    return part;
}

template <class Visit>
void StreamedDataset::for_each_chunk(MemberCheck check, const Visit& visit) const {
    for (std::size_t at = 0; at < chunks_.size();) {
        const std::size_t shard = chunks_[at].shard;
        ShardReader reader(shards_[shard], layer_, check);
        for (; at < chunks_.size() && chunks_[at].shard == shard; ++at) {
            throw_if_stopped("StreamedDataset");
            visit(reader, chunks_[at]);
        }
    }
}

void StreamedDataset::check_numbers() const {
    for_each_chunk(MemberCheck::to_do, [&](ShardReader& reader, const Chunk& chunk) {
        const Dataset part = read_chunk(reader, chunk);
        if (!layer_.is_linear()) {
            check(part);
        }
    });
}

SequenceShape StreamedDataset::shape() const {
    const DatasetLayout& layout = shards_.front().layout;
    return {layout.d, layout.o, layout.labels, layer_, layout.layer_input(), offsets_};
}

std::shared_ptr<const Dataset> StreamedDataset::chunk(std::size_t number) const {
    const std::lock_guard lock(mutex_);
    for (const Cached& cached : cached_) {
        if (cached.data && cached.number == number) {
            return cached.data;
        }
    }
    const Chunk& wanted = chunks_[number];
    if (!reader_ || open_shard_ != wanted.shard) {
        reader_.reset();
        reader_.emplace(shards_[wanted.shard], layer_, MemberCheck::done);
        open_shard_ = wanted.shard;
    }
    Cached& slot = cached_.at(oldest_);
    slot.data.reset();
    slot = {number, std::make_shared<const Dataset>(read_chunk(*reader_, wanted))};
    oldest_ = (oldest_ + 1) % cached_.size();
    return slot.data;
}

void StreamedDataset::for_each_part(const std::function<void(const Dataset&)>& visit) const {
    for (std::size_t k = 0; k < chunks_.size(); ++k) {
        visit(*chunk(k));
    }
}

Index StreamedDataset::first_example(Index sequence) const {
    return shards_.front().layout.labels == LabelKind::per_prefix
               ? offsets_[static_cast<std::size_t>(sequence)]
               : sequence;
}

Dataset StreamedDataset::examples(Index first, Index last) const {
    const auto after = std::upper_bound(
        chunks_.begin(), chunks_.end(), first, [&](Index example, const Chunk& chunk) {
            return example < first_example(chunk.sequence);
        });
    std::vector<Dataset> parts;
    for (auto at = after - 1; at != chunks_.end(); ++at) {
        const Index begin = first_example(at->sequence);
        const Index end = first_example(at->sequence + at->last - at->first);
        if (begin >= last) {
            break;
        }
        const auto data = chunk(static_cast<std::size_t>(at - chunks_.begin()));
        parts.push_back(SequencesInMemory(*data).examples(std::max(first, begin) - begin,
                                                          std::min(last, end) - begin));
    }
    return joined(std::move(parts));
}

std::string StreamedDataset::digest() const {
    const SequenceShape all = shape();
    const auto& columns = shards_.front().layout.columns;
    const bool keys = all.layer.form == TokenForm::delta;
    CanonicalHash hash(all,
                       query_,
                       columns.empty() ? HashedColumns::none
                       : keys          ? HashedColumns::with_keys
                                       : HashedColumns::some);
    const auto add_all = [&](const std::function<Matrix(ShardReader&, const Chunk&)>& read) {
        for_each_chunk(MemberCheck::done, [&](ShardReader& reader, const Chunk& chunk) {
            hash.add(read(reader, chunk));
        });
    };
    add_all([](ShardReader& r, const Chunk& c) { return r.labels(c.first, c.last); });
    add_all([](ShardReader& r, const Chunk& c) { return r.tokens(c.first, c.last); });
    for (const std::string_view key : {"x", "phi", "gates", "s", "u", "keys", "beta"}) {
        if (columns.empty() || (!keys && (key == "keys" || key == "beta"))) {
            break;
        }
        const auto found = std::find_if(columns.begin(), columns.end(), [&](const auto& column) {
            return column.first == key;
        });
        if (found == columns.end()) {
            hash.add(std::array<Index, 2>{0, 0});
            continue;
        }
        const Index count = column_key(key).of_tokens ? all.num_tokens() : all.num_examples();
        hash.add(std::array<Index, 2>{found->second, count});
        const auto which = static_cast<std::size_t>(found - columns.begin());
        add_all([&](ShardReader& r, const Chunk& c) { return r.columns(which, c.first, c.last); });
    }
    return hash.hex();
}

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
        DatasetReading reading = load_dataset(path, policy, layer);
        opened.skipped = std::move(reading.skipped);
        opened.whole = std::make_unique<Dataset>(std::move(reading.data));
        opened.sequences = std::make_unique<SequencesInMemory>(*opened.whole);
        opened.source = std::make_unique<DatasetSource>(*opened.whole);
    }
    return opened;
}

}  // namespace attest
