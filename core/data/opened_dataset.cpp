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

/// Numbers beside each other in a shard: of a token with what stands beside it, and of a sequence's
/// labels and columns.
struct NumbersOf {
    Index token = 0;
    Index sequence = 0;

    explicit NumbersOf(const DatasetLayout& layout) {
        const bool prefixes = layout.labels == LabelKind::per_prefix;
        token = layout.d + (prefixes ? layout.o : 0);
        sequence = prefixes ? 0 : layout.o;
        for (const auto& [key, rows] : layout.columns) {
            (column_key(key).of_tokens || prefixes ? token : sequence) += rows;
        }
    }

    [[nodiscard]] Index all(const ShardRun& run) const {
        return run.num_tokens() * token + (run.last - run.first) * sequence;
    }
};

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
    require_chunk_memory(name, chunk_numbers);
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

void StreamedDataset::add_chunk(std::size_t shard, const ShardRun& run) {
    const Index token =
        chunks_.empty() ? 0 : chunks_.back().token + chunks_.back().run.num_tokens();
    const auto sequence = std::upper_bound(offsets_.begin(), offsets_.end(), token) - 1;
    chunks_.push_back({shard, run, sequence - offsets_.begin(), token});
}

bool StreamedDataset::is_whole(const Chunk& chunk) const {
    const ShardRun& run = chunk.run;
    return run.first_token == shards_[chunk.shard].token(run.first) &&
           shards_[chunk.shard].is_ended(run);
}

/// A block of examples then lies in one chunk, or in two where shards meet; of prefixes, in the
/// chunks of its sequences. Blocks of long sequences are cut: what is read of them is a few
/// sequences at a time anyway.
void StreamedDataset::cut_into_chunks(Index chunk_numbers) {
    Index before = 0;
    for (std::size_t k = 0; k < shards_.size(); ++k) {
        const ShardIndex& shard = shards_[k];
        const NumbersOf numbers(shard.layout);
        const bool cuts = layer_.is_linear() && shard.has_cheap_runs;
        const Index count = shard.layout.num_sequences;
        for (Index first = 0; first < count;) {
            Index last = first + 1;
            if (cuts && numbers.all(shard.whole(first, last)) > chunk_numbers) {
                cut_sequence(k, first, std::max<Index>(1, chunk_numbers / numbers.token));
            } else {
                last = end_of_chunk(shard, first, before, chunk_numbers);
                add_chunk(k, shard.whole(first, last));
            }
            first = last;
        }
        before += count;
    }
}

/// Runs of so many tokens inside a sequence.
void StreamedDataset::cut_sequence(std::size_t shard, Index sequence, Index tokens) {
    const Index end = shards_[shard].token(sequence + 1);
    for (Index token = shards_[shard].token(sequence); token < end; token += tokens) {
        add_chunk(shard, {sequence, sequence + 1, token, std::min(end, token + tokens)});
    }
}

/// As many sequences as fit, at least one, up to the end of a block of the data set where one does;
/// `before` sequences stand in earlier shards.
Index StreamedDataset::end_of_chunk(const ShardIndex& shard,
                                    Index first,
                                    Index before,
                                    Index chunk_numbers) {
    const NumbersOf numbers(shard.layout);
    const Index count = shard.layout.num_sequences;
    const Index step = shard.layout.labels == LabelKind::per_prefix ? 1 : kMomentBlock;
    const auto fits = [&](Index last) {
        return numbers.all(shard.whole(first, last)) <= chunk_numbers;
    };
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
    return last;
}

void StreamedDataset::require_chunk_memory(const std::string& name, Index chunk_numbers) const {
    Index largest = 0;
    bool is_cut = true;  // whether what is largest is a run inside a sequence
    for (const Chunk& chunk : chunks_) {
        const Index numbers = NumbersOf(shards_[chunk.shard].layout).all(chunk.run);
        if (numbers > largest) {
            largest = numbers;
            is_cut = !is_whole(chunk);
        }
    }
    // Two chunks, one on its way as it is stored and as it is read, a run of examples of it and
    // what is made of that; and every sequence's place, here and in its shard.
    require_memory(
        8.0 * (6.0 * static_cast<double>(largest) + 4.0 * static_cast<double>(offsets_.size())),
        formatted("{}: reading it in parts", name),
        is_cut || largest <= chunk_numbers ? "raise the limit or use a larger machine"
        : layer_.is_linear()
            ? "sequences of a compressed Z (N, d, n) are read whole; write it uncompressed, with "
              "numpy.savez, or raise the limit"
            : "this layer reads sequences whole; raise the limit or use a larger machine");
}

Dataset StreamedDataset::read_chunk(ShardReader& reader, const Chunk& chunk) const {
    Dataset part = reader.read(chunk.run);
    if (!query_.empty() && is_whole(chunk)) {
        const auto begin = query_.begin() + chunk.sequence;
        part.query.assign(begin, begin + (chunk.run.last - chunk.run.first));
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
    for (const ShardIndex& shard : shards_) {
        ShardReader(shard, layer_, MemberCheck::to_do).check_all();
    }
    if (!layer_.is_linear()) {
        for_each_chunk(MemberCheck::done, [&](ShardReader& reader, const Chunk& chunk) {
            check(read_chunk(reader, chunk));
        });
    }
}

SequenceShape StreamedDataset::shape() const {
    const DatasetLayout& layout = shards_.front().layout;
    return {layout.d, layout.o, layout.labels, layer_, layout.layer_input(), offsets_, query_};
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

template <class Start, class Columns>
void StreamedDataset::gather(Matrix& to,
                             Index first,
                             const Start& start,
                             const Columns& columns) const {
    const auto after = std::upper_bound(
        chunks_.begin(), chunks_.end(), first, [&](Index column, const Chunk& chunk) {
            return column < start(chunk);
        });
    auto at = after - 1;
    for (Index done = 0; done < to.cols(); ++at) {
        const auto data = chunk(static_cast<std::size_t>(at - chunks_.begin()));
        const Eigen::Ref<const Matrix> from = columns(*data);
        const Index skipped = first + done - start(*at);
        const Index count = std::min(to.cols() - done, from.cols() - skipped);
        to.middleCols(done, count) = from.middleCols(skipped, count);
        done += count;
    }
}

Matrix StreamedDataset::tokens(Index first, Index count) const {
    Matrix all(shards_.front().layout.d, count);
    gather(
        all,
        first,
        [](const Chunk& chunk) { return chunk.token; },
        [](const Dataset& data) -> Eigen::Ref<const Matrix> { return data.tokens.view(); });
    return all;
}

Matrix StreamedDataset::labels(Index first, Index count) const {
    Matrix all(shards_.front().layout.o, count);
    if (all.rows() > 0) {
        gather(
            all,
            first,
            [this](const Chunk& chunk) { return first_example(chunk); },
            [](const Dataset& data) -> Eigen::Ref<const Matrix> { return data.y; });
    }
    return all;
}

void StreamedDataset::for_each_part(const std::function<void(const Dataset&)>& visit) const {
    for (std::size_t k = 0; k < chunks_.size(); ++k) {
        const Index sequence = chunks_[k].sequence;
        if (is_whole(chunks_[k])) {
            visit(*chunk(k));
        } else if (chunks_[k].token == offsets_[static_cast<std::size_t>(sequence)]) {
            visit(examples(first_example(sequence), first_example(sequence + 1)));
        }
    }
}

Index StreamedDataset::first_example(Index sequence) const {
    return shards_.front().layout.labels == LabelKind::per_prefix
               ? offsets_[static_cast<std::size_t>(sequence)]
               : sequence;
}

/// Inside a sequence that is cut, and has no labels of prefixes, this is the sequence itself.
Index StreamedDataset::first_example(const Chunk& chunk) const {
    return shards_.front().layout.labels == LabelKind::per_prefix ? chunk.token : chunk.sequence;
}

Dataset StreamedDataset::examples(Index first, Index last) const {
    if (layer_.is_linear()) {
        return run_of_examples(*this, first, last);
    }
    const auto after = std::upper_bound(
        chunks_.begin(), chunks_.end(), first, [&](Index example, const Chunk& chunk) {
            return example < first_example(chunk);
        });
    std::vector<Dataset> parts;
    for (auto at = after - 1; at != chunks_.end(); ++at) {
        const Index begin = first_example(*at);
        const Index end = first_example(at->sequence + at->run.last - at->run.first);
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
                       columns.empty() ? HashedColumns::none
                       : keys          ? HashedColumns::with_keys
                                       : HashedColumns::some);
    const auto add_all = [&](const std::function<Matrix(ShardReader&, const Chunk&)>& read) {
        for_each_chunk(MemberCheck::done, [&](ShardReader& reader, const Chunk& chunk) {
            hash.add(read(reader, chunk));
        });
    };
    add_all([](ShardReader& r, const Chunk& c) { return r.labels(c.run); });
    add_all([](ShardReader& r, const Chunk& c) { return r.tokens(c.run); });
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
        add_all([&](ShardReader& r, const Chunk& c) { return r.columns(which, c.run); });
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
