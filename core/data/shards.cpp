#include "core/data/shards.hpp"

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/data/archive/npz.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/dataset_header.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace attest {

ShardIndex read_shard_index(const std::string& path, const Layer& layer) {
    const NpzReader file = NpzReader::open(path);
    ShardIndex index{path, read_layout(file, layer), {}, {}};
    index.offsets = read_offsets(file, index.layout);
    index.query = read_query(file, index.offsets);
    index.has_cheap_runs = index.layout.d > 0 &&
                           (index.layout.form != SequenceForm::feature_major ||
                            file.stream(index.layout.sequence_key, MemberCheck::done).is_stored());
    return index;
}

ShardReader::ShardReader(const ShardIndex& index, Layer layer, MemberCheck check)
    : index_(index), layer_(std::move(layer)), check_(check), file_(NpzReader::open(index.path)) {
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

Matrix ShardReader::read_columns(Array& from, Index rows, ColumnsOf what, const ShardRun& run) {
    const bool of_tokens =
        what == ColumnsOf::tokens || index_.layout.labels == LabelKind::per_prefix;
    const Index begin = of_tokens ? run.first_token : run.first;
    const Index end = of_tokens ? run.last_token : index_.is_ended(run) ? run.last : run.last - 1;
    Matrix columns(rows, end - begin);
    read_elements(
        from, begin * rows, std::span(columns.data(), static_cast<std::size_t>(columns.size())));
    return columns;
}

Matrix ShardReader::tokens(const ShardRun& run) {
    const Index d = index_.layout.d;
    const Index n = index_.layout.length;
    const Index count = run.num_tokens();
    if (!tokens_) {
        return Matrix::Zero(0, count);
    }
    if (index_.layout.form != SequenceForm::feature_major) {
        return read_columns(*tokens_, d, ColumnsOf::tokens, run);
    }
    // Z holds every sequence as d rows of n entries.
    Matrix tokens(d, count);
    if (count < n) {
        Vector row(count);
        const Index skipped = run.first_token - index_.token(run.first);
        for (Index j = 0; j < d; ++j) {
            read_elements(*tokens_,
                          (run.first * d + j) * n + skipped,
                          std::span(row.data(), static_cast<std::size_t>(count)));
            tokens.row(j) = row.transpose();
        }
        return tokens;
    }
    const Matrix read = read_columns(*tokens_, d, ColumnsOf::tokens, run);
    for (Index i = 0; i < run.last - run.first; ++i) {
        copy_feature_major(read.data() + i * d * n, tokens.middleCols(i * n, n));
    }
    return tokens;
}

Matrix ShardReader::labels(const ShardRun& run) {
    return labels_ ? read_columns(*labels_, index_.layout.o, ColumnsOf::examples, run) : Matrix();
}

Matrix ShardReader::columns(std::size_t which, const ShardRun& run) {
    const auto& [key, rows] = index_.layout.columns[which];
    const bool of_tokens = column_key(key).of_tokens;
    return read_columns(
        columns_[which], rows, of_tokens ? ColumnsOf::tokens : ColumnsOf::examples, run);
}

Dataset ShardReader::read(const ShardRun& run) {
    Dataset part;
    part.layer = layer_;
    part.labels = index_.layout.labels;
    for (Index i = run.first; i < run.last; ++i) {
        part.offsets.push_back(std::max(index_.token(i) - run.first_token, Index{0}));
    }
    part.offsets.push_back(run.num_tokens());
    part.tokens = tokens(run);
    part.y = labels(run);
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        part.columns.*column_key(index_.layout.columns[k].first).member = columns(k, run);
    }
    return part;
}

void ShardReader::check_all() {
    std::vector<double> piece(std::size_t{1} << 16);
    const auto go_through = [&](Array& from) {
        const Index count = from.stream.header().num_elements();
        for (Index first = 0; first < count; first += std::ssize(piece)) {
            throw_if_stopped("ShardReader");
            const Index left = std::min(std::ssize(piece), count - first);
            read_elements(from, first, std::span(piece).first(static_cast<std::size_t>(left)));
        }
    };
    for (std::optional<Array>* const array : {&tokens_, &labels_}) {
        if (*array) {
            go_through(**array);
        }
    }
    std::for_each(columns_.begin(), columns_.end(), go_through);
}

namespace {

bool is_digit(char letter) {
    return '0' <= letter && letter <= '9';
}

/// Takes the run of digits in front off the text; without the zeros that lead it.
std::string_view take_number(std::string_view& text) {
    std::string_view digits = text.substr(0, text.find_first_not_of("0123456789"));
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
    paths.reserve(names.size());
    for (const std::string& name : names) {
        paths.push_back((std::filesystem::path(folder) / name).string());
    }
    return paths;
}

void require_agreement(const std::string& shard,
                       const DatasetLayout& found,
                       const std::string& expected_of,
                       const DatasetLayout& expected) {
    require(found.d == expected.d && found.o == expected.o && found.labels == expected.labels &&
                found.columns == expected.columns,
            "{}: has d = {}, o = {}, labels {}{}, expected d = {}, o = {}, labels {} as {}; put "
            "other data into another folder",
            shard,
            found.d,
            found.o,
            to_string(found.labels),
            found.columns == expected.columns ? "" : " and other columns for the layer",
            expected.d,
            expected.o,
            to_string(expected.labels),
            expected_of);
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
