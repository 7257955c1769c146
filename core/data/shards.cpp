#include "core/data/shards.hpp"

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/data/archive/npz.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/dataset_header.hpp"

#include <algorithm>
#include <filesystem>

namespace attest {

ShardIndex read_shard_index(const std::string& path, const Layer& layer) {
    const NpzReader file = NpzReader::open(path);
    ShardIndex index{path, read_layout(file, layer), {}, {}};
    index.offsets = read_offsets(file, index.layout);
    index.query = read_query(file, index.offsets);
    return index;
}

ShardReader::ShardReader(const ShardIndex& index, const Layer& layer, MemberCheck check)
    : index_(index), layer_(layer), check_(check), file_(NpzReader::open(index.path)) {
    if (index.layout.d > 0) {
        tokens_.emplace(array(index.layout.sequence_key));
    }
    if (index.layout.labels != LabelKind::none) {
        labels_.emplace(array(index.layout.label_key));
    }
    for (const auto& [key, rows] : index.layout.columns) {
        columns_.push_back(array(key));
    }
}

ShardReader::Array ShardReader::array(std::string_view key) const {
    return {std::string(key), file_.stream(key, check_)};
}

void ShardReader::read_elements(Array& from, Index first, std::span<double> to) {
    from.stream.read(first, to);
    if (check_ == MemberCheck::to_do) {
        require_finite(file_.where(from.key), to, from.stream.header().shape, first, kMendExample);
    }
}

Matrix ShardReader::read_columns(Array& from, Index rows, ColumnsOf what, Index first, Index last) {
    const bool of_tokens =
        what == ColumnsOf::tokens || index_.layout.labels == LabelKind::per_prefix;
    const Index begin = of_tokens ? index_.token(first) : first;
    const Index end = of_tokens ? index_.token(last) : last;
    Matrix columns(rows, end - begin);
    read_elements(
        from, begin * rows, std::span(columns.data(), static_cast<std::size_t>(columns.size())));
    return columns;
}

Matrix ShardReader::tokens(Index first, Index last) {
    const Index d = index_.layout.d;
    const Index n = index_.layout.length;
    if (!tokens_) {
        return Matrix(0, index_.token(last) - index_.token(first));
    }
    Matrix read = read_columns(*tokens_, d, ColumnsOf::tokens, first, last);
    if (index_.layout.form != SequenceForm::feature_major) {
        return read;
    }
    Matrix tokens(d, read.cols());
    for (Index i = 0; i < last - first; ++i) {
        const Eigen::Map<const Matrix> transposed(read.data() + i * d * n, n, d);
        tokens.middleCols(i * n, n) = transposed.transpose();
    }
    return tokens;
}

Matrix ShardReader::labels(Index first, Index last) {
    return labels_ ? read_columns(*labels_, index_.layout.o, ColumnsOf::examples, first, last)
                   : Matrix();
}

Matrix ShardReader::columns(std::size_t which, Index first, Index last) {
    const auto& [key, rows] = index_.layout.columns[which];
    const bool of_tokens = column_key(key).of_tokens;
    return read_columns(
        columns_[which], rows, of_tokens ? ColumnsOf::tokens : ColumnsOf::examples, first, last);
}

Dataset ShardReader::read(Index first, Index last) {
    Dataset part;
    part.layer = layer_;
    part.labels = index_.layout.labels;
    for (Index i = first; i <= last; ++i) {
        part.offsets.push_back(index_.token(i) - index_.token(first));
    }
    part.tokens = tokens(first, last);
    part.y = labels(first, last);
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        part.columns.*column_key(index_.layout.columns[k].first).member = columns(k, first, last);
    }
    return part;
}

namespace {

bool is_digit(char letter) {
    return '0' <= letter && letter <= '9';
}

/// Takes the run of digits in front off the text; without the zeros that lead it.
std::string_view take_number(std::string_view& text) {
    const auto stop = std::find_if_not(text.begin(), text.end(), is_digit);
    std::string_view digits = text.substr(0, static_cast<std::size_t>(stop - text.begin()));
    text.remove_prefix(digits.size());
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits;
}

}  // namespace

bool naturally_before(std::string_view a, std::string_view b) {
    std::string_view left = a;
    std::string_view right = b;
    while (!left.empty() && !right.empty()) {
        if (is_digit(left.front()) && is_digit(right.front())) {
            const std::string_view x = take_number(left);
            const std::string_view y = take_number(right);
            if (x != y) {
                return x.size() != y.size() ? x.size() < y.size() : x < y;
            }
        } else if (left.front() != right.front()) {
            return left.front() < right.front();
        } else {
            left.remove_prefix(1);
            right.remove_prefix(1);
        }
    }
    // Equal but for leading zeros: some order, the same on every machine.
    return left.empty() == right.empty() ? a < b : left.empty();
}

std::vector<std::string> shards_of(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code failed;
    for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        const std::string name = entry->path().filename().string();
        if (name.ends_with(".npz") && name.front() != '.') {
            names.push_back(name);
        }
    }
    require(!failed, "{}: cannot read: {}; check the permissions", folder, failed.message());
    require(!names.empty(),
            "{}: holds no .npz file, expected the shards of a data set; put them there",
            folder);
    std::sort(names.begin(), names.end(), naturally_before);
    std::vector<std::string> paths;
    for (const std::string& name : names) {
        paths.push_back((std::filesystem::path(folder) / name).string());
    }
    return paths;
}

void require_agreement(const std::string& shard,
                       const DatasetLayout& found,
                       const std::string& first_shard,
                       const DatasetLayout& first) {
    require(found.d == first.d && found.o == first.o && found.labels == first.labels &&
                found.columns == first.columns,
            "{}: has d = {}, o = {}, labels {}{}, expected d = {}, o = {}, labels {} as {}; put "
            "other data into another folder",
            shard,
            found.d,
            found.o,
            to_string(found.labels),
            found.columns == first.columns ? "" : " and other columns for the layer",
            first.d,
            first.o,
            to_string(first.labels),
            first_shard);
}

DatasetReading load_shards(const std::string& folder, InvalidExamples policy, const Layer& layer) {
    const std::vector<std::string> shards = shards_of(folder);
    DatasetLayout first;
    double bytes = 0.0;
    for (const std::string& shard : shards) {
        const NpzReader file = NpzReader::open(shard);
        const DatasetLayout layout = read_layout(file, layer);
        if (&shard == &shards.front()) {
            first = layout;
        }
        require_agreement(shard, layout, shards.front(), first);
        bytes += reading_bytes(file, layer);
    }
    // Joining holds the parts and the whole.
    require_memory(2.0 * bytes, formatted("{}: reading it", folder), kReadingAlternative);
    std::vector<Dataset> parts;
    DatasetReading all;
    Index before = 0;
    for (const std::string& shard : shards) {
        const NpzReader file = NpzReader::open(shard);
        DatasetReading reading = load_dataset(file, policy, layer);
        const Index count = reading.data.num_sequences() + std::ssize(reading.skipped);
        for (const Index i : reading.skipped) {
            all.skipped.push_back(before + i);
        }
        for (const std::string& key : reading.ignored) {
            if (std::find(all.ignored.begin(), all.ignored.end(), key) == all.ignored.end()) {
                all.ignored.push_back(key);
            }
        }
        before += count;
        parts.push_back(std::move(reading.data));
    }
    all.data = joined(std::move(parts));
    return all;
}

Dataset joined(std::vector<Dataset> parts) {
    ensure(!parts.empty(), "joined: nothing to join");
    while (parts.size() > 1) {
        std::vector<Dataset> pairs;
        for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
            pairs.push_back(concatenate(parts[i], parts[i + 1]));
            parts[i] = Dataset();
            parts[i + 1] = Dataset();
        }
        if (parts.size() % 2 == 1) {
            pairs.push_back(std::move(parts.back()));
        }
        parts = std::move(pairs);
    }
    return std::move(parts.front());
}

}  // namespace attest
