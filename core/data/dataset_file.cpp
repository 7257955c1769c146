#include "core/data/dataset_file.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/data/archive/npz.hpp"
#include "core/data/dataset_header.hpp"
#include "core/data/model_arrays.hpp"
#include "core/data/shards.hpp"

#include <algorithm>
#include <exception>
#include <span>

namespace attest {

namespace {

constexpr Choices<InvalidExamples, 2> kInvalidExamplesNames{
    {{InvalidExamples::reject, "reject"}, {InvalidExamples::skip, "skip"}}};

NpyArray read_numbers(const NpzReader& file, std::string_view key, InvalidExamples policy) {
    NpyArray array = file.read(key);
    if (policy == InvalidExamples::reject) {
        require_finite(file, key, array, kMendExample);
    }
    return array;
}

/// Of the elements that are read together, a quarter of a megabyte: they stay in the cache while
/// they are looked at.
constexpr Index kPieceNumbers = Index{1} << 15;

/// Reads the elements of a stream to where they belong, each byte once: place(first, count) says
/// where elements from `first` on go, done(first, elements) is told when they are there. `run`
/// divides the first of every piece. The first NaN is thrown after the last byte: of a damaged file
/// the CRC is to be named.
template <class Place, class Done>
void read_pieces(const NpzReader& file,
                 std::string_view key,
                 InvalidExamples policy,
                 Index run,
                 const Place& place,
                 const Done& done) {
    NpyStream stream = file.stream(key, MemberCheck::to_do);
    const Index size = stream.header().num_elements();
    const Index step = std::max<Index>(1, kPieceNumbers / run) * run;
    std::exception_ptr invalid;
    for (Index first = 0; first < size; first += step) {
        throw_if_stopped("reading");
        const std::span<double> elements = place(first, std::min(step, size - first));
        stream.read(first, elements);
        if (policy == InvalidExamples::reject && !invalid) {
            try {
                require_finite(
                    file.where(key), elements, stream.header().shape, first, kMendExample);
            } catch (const InvalidInput&) {
                invalid = std::current_exception();
            }
        }
        done(first, elements);
    }
    if (invalid) {
        std::rethrow_exception(invalid);
    }
}

/// Whether every element can be read by itself: no integer among them that no double holds.
bool can_read_pieces(const NpyHeader& header) {
    return header.order == AxisOrder::c && !is_integer(header.dtype) && header.num_elements() > 0;
}

/// Tokens (T,d), as they lie.
Matrix stored_columns(const NpzReader& file, const DatasetLayout& layout, InvalidExamples policy) {
    Matrix tokens(layout.d, layout.num_tokens);
    read_pieces(
        file,
        layout.sequence_key,
        policy,
        layout.d,
        [&](Index first, Index count) {
            return std::span(tokens.data() + first, static_cast<std::size_t>(count));
        },
        [](Index /*first*/, std::span<const double> /*elements*/) {});
    return tokens;
}

/// Z (N,d,n): each sequence lies row by row.
Matrix transposed_sequences(const NpzReader& file,
                            const DatasetLayout& layout,
                            InvalidExamples policy) {
    const Index d = layout.d;
    const Index n = layout.length;
    Matrix tokens(d, layout.num_tokens);
    std::vector<double> piece;
    read_pieces(
        file,
        layout.sequence_key,
        policy,
        d * n,
        [&](Index /*first*/, Index count) {
            piece.resize(static_cast<std::size_t>(count));
            return std::span(piece);
        },
        [&](Index first, std::span<const double> elements) {
            for (Index at = 0; at < std::ssize(elements); at += d * n) {
                copy_feature_major(elements.data() + at, tokens.middleCols((first + at) / d, n));
            }
        });
    return tokens;
}

Matrix read_tokens(const NpzReader& file, const DatasetLayout& layout, InvalidExamples policy) {
    if (layout.d == 0) {
        return {0, layout.num_tokens};
    }
    if (can_read_pieces(file.header(layout.sequence_key))) {
        return layout.form == SequenceForm::feature_major
                   ? transposed_sequences(file, layout, policy)
                   : stored_columns(file, layout, policy);
    }
    const NpyArray array = read_numbers(file, layout.sequence_key, policy);
    if (layout.form != SequenceForm::feature_major) {
        return columns_of(array, layout.d);
    }
    const Index d = layout.d;
    const Index n = layout.length;
    Matrix tokens(d, layout.num_tokens);
    for (Index i = 0; i < layout.num_sequences; ++i) {
        copy_feature_major(array.data.data() + i * d * n, tokens.middleCols(i * n, n));
    }
    return tokens;
}

/// Heads are of the paper's layer; of others the coefficients alone.
GroundTruth read_truth(const NpzReader& file, const Dataset& data) {
    GroundTruth truth;
    if (data.layer.is_linear()) {
        truth.heads = read_heads(file, "truth_V", "truth_Q");
    }
    if (file.contains("truth_P")) {
        truth.P = read_matrix(file, "truth_P").transpose();
    }
    const auto fits = [&](Index o) { return data.o() == 0 || o == data.o(); };
    const Index psi = data.layout().psi();
    const std::string expected =
        formatted("d = {}{}", data.d(), data.o() == 0 ? "" : formatted(" and o = {}", data.o()));
    if (truth.heads && !(truth.heads->d == data.d() && fits(truth.heads->o))) {
        refuse_shape(file, "truth_V", expected, "remove truth_V and truth_Q or fix them");
    }
    if (truth.P && truth.P->rows() != psi) {
        truth.P.reset();  // the truth of another layer than the one that now reads the data
    }
    if (truth.P && !fits(truth.P->cols())) {
        refuse_shape(
            file, "truth_P", formatted("{}, (o, {})", expected, psi), "remove truth_P or fix it");
    }
    return truth;
}

void skip_invalid(const NpzReader& file, DatasetReading& reading) {
    const std::vector<Index> kept = finite_sequences(reading.data);
    const Index count = reading.data.num_sequences();
    require(!kept.empty(),
            "{}: each of the {} sequences holds a NaN or an infinity, expected one that does not; "
            "write finite numbers",
            file.name(),
            count);
    for (Index i = 0; i < count; ++i) {
        if (!std::binary_search(kept.begin(), kept.end(), i)) {
            reading.skipped.push_back(i);
        }
    }
    if (!reading.skipped.empty()) {
        reading.data = select_sequences(reading.data, kept);
    }
}

bool equal_lengths(const Dataset& data) {
    for (Index i = 1; i < data.num_sequences(); ++i) {
        if (data.length(i) != data.length(0)) {
            return false;
        }
    }
    return true;
}

NpyArray integers(const std::vector<Index>& values) {
    NpyArray array{DType::int64, {std::ssize(values)}, {}};
    for (const Index value : values) {
        array.data.push_back(static_cast<double>(value));
    }
    return array;
}

// Z (N,d,n): each sequence row by row.
NpyArray feature_major(const Dataset& data) {
    NpyArray array{DType::float64, {data.num_sequences(), data.d(), data.length(0)}, {}};
    array.data.resize(static_cast<std::size_t>(data.tokens.size()));
    const Index size = data.d() * data.length(0);
    for (Index i = 0; i < data.num_sequences(); ++i) {
        Eigen::Map<Matrix> transposed(array.data.data() + i * size, data.length(0), data.d());
        transposed = data.sequence(i).transpose();
    }
    return array;
}

void add_labels(NpzWriter& file, const Dataset& data, bool equal) {
    if (data.labels == LabelKind::none) {
        return;
    }
    NpyArray y = array_of_columns(data.y);
    if (data.labels == LabelKind::per_prefix && equal) {
        y.shape = {data.num_sequences(), data.length(0), data.o()};
    }
    file.add(data.labels == LabelKind::per_prefix ? "y_prefix" : "y", std::move(y));
}

}  // namespace

std::string_view to_string(InvalidExamples policy) {
    return name_of(kInvalidExamplesNames, policy);
}

DatasetReading load_dataset(const NpzReader& file, InvalidExamples policy, const Layer& layer) {
    const DatasetLayout layout = read_layout(file, layer);
    const double skipping = policy == InvalidExamples::skip ? 2.0 : 1.0;
    require_memory(skipping * reading_bytes(file, layer),
                   formatted("{}: reading it", file.name()),
                   kReadingAlternative);
    DatasetReading reading;
    Dataset& data = reading.data;
    data.layer = layer;
    data.labels = layout.labels;
    data.offsets = read_offsets(file, layout);
    data.query = read_query(file, data.offsets);
    data.tokens = read_tokens(file, layout, policy);
    if (layout.labels != LabelKind::none) {
        data.y = columns_of(read_numbers(file, layout.label_key, policy), layout.o);
    }
    data.columns = read_layer_columns(file, data, policy);
    data.truth = read_truth(file, data);
    data.meta = read_meta(file);
    reading.ignored = layout.ignored;
    if (policy == InvalidExamples::skip) {
        skip_invalid(file, reading);
    }
    if (!layer.is_linear()) {
        check(data);
    }
    return reading;
}

DatasetReading load_dataset(const std::string& path, InvalidExamples policy, const Layer& layer) {
    return is_folder(path) ? load_shards(path, policy, layer)
                           : load_dataset(NpzReader::open(path), policy, layer);
}

Dataset read_dataset(const std::string& path, InvalidExamples policy, const Layer& layer) {
    return load_dataset(path, policy, layer).data;
}

void write_dataset(const std::string& path, const Dataset& data, Compression compression) {
    check(data);
    const auto elements = static_cast<double>(
        data.tokens.size() + data.y.size() + data.columns.x.size() + data.columns.phi.size() +
        data.columns.gates.size() + data.columns.s.size() + data.columns.u.size() +
        data.columns.keys.size() + data.columns.beta.size());
    // Numbers as an array and as an archive.
    require_memory(8.0 * 2.0 * elements, path + ": writing it", "write fewer sequences at a time");
    const bool equal = equal_lengths(data);
    NpzWriter file(compression);
    if (data.layer.form == TokenForm::supplied) {
        // no tokens
    } else if (equal) {
        file.add("Z", feature_major(data));
    } else {
        file.add("tokens", array_of_columns(data.tokens.view()));
        file.add("offsets", integers(data.offsets));
    }
    add_layer_columns(file, data);
    add_labels(file, data, equal);
    if (!data.query.empty()) {
        file.add("query", integers(data.query));
    }
    if (data.truth.heads) {
        add_heads(file, "truth_V", "truth_Q", *data.truth.heads);
    }
    if (data.truth.P) {
        add_coefficients(file, "truth_P", *data.truth.P);
    }
    if (!data.meta.empty()) {
        add_meta(file, data.meta);
    }
    file.write(path);
}

ColumnKey column_key(std::string_view key) {
    if (key == "x") {
        return {&LayerColumns::x, false};
    }
    if (key == "phi") {
        return {&LayerColumns::phi, true};
    }
    if (key == "gates") {
        return {&LayerColumns::gates, true};
    }
    if (key == "keys" || key == "beta") {
        return {key == "keys" ? &LayerColumns::keys : &LayerColumns::beta, true};
    }
    return {key == "s" ? &LayerColumns::s : &LayerColumns::u, false};
}

Index column_rows(const NpzReader& file, std::string_view key, Index num_sequences, Index count) {
    const bool of_tokens = column_key(key).of_tokens;
    const bool in_grid = of_tokens || count != num_sequences;
    const std::vector<Index> list{count};
    const std::vector<Index> grid{num_sequences, count / num_sequences};
    const auto one_each = [&](const std::vector<Index>& axes) {
        return axes == list || (in_grid && axes == grid && grid[0] * grid[1] == count);
    };
    std::vector<Index> axes = file.header(key).shape;
    if ((key == "gates" || key == "beta") && one_each(axes)) {
        return 1;
    }
    const Index rows = axes.empty() ? 0 : axes.back();
    if (!axes.empty()) {
        axes.pop_back();
    }
    if (rows == 0 || !one_each(axes)) {
        refuse_shape(file,
                     key,
                     formatted("one row for each of the {} {}{}",
                               count,
                               of_tokens ? "tokens" : "examples",
                               in_grid && grid[0] * grid[1] == count
                                   ? formatted(", of shape ({}, {}, rows)", grid[0], grid[1])
                                   : formatted(", of shape ({}, rows)", count)),
                     "store them in the order of the sequences");
    }
    return rows;
}

std::vector<std::string_view> layer_keys(const Layer& layer) {
    std::vector<std::string_view> keys;
    if (layer.cross) {
        keys.emplace_back("x");
    }
    if (layer.form == TokenForm::mapped) {
        keys.emplace_back("phi");
    }
    if (layer.form == TokenForm::delta) {
        keys.insert(keys.end(), {"keys", "beta"});
    }
    if (layer.gates != GateForm::none) {
        keys.emplace_back("gates");
    }
    if (layer.form == TokenForm::supplied) {
        keys.insert(keys.end(), {"s", "u"});
    }
    return keys;
}

LayerColumns read_layer_columns(const NpzReader& file,
                                const Dataset& data,
                                InvalidExamples policy) {
    LayerColumns columns;
    for (const std::string_view key : layer_keys(data.layer)) {
        const auto [member, of_tokens] = column_key(key);
        const NpyArray array = file.read(key);
        if (policy == InvalidExamples::reject) {
            require_finite(file, key, array, kMendExample);
        }
        const Index rows = column_rows(
            file, key, data.num_sequences(), of_tokens ? data.tokens.cols() : data.num_examples());
        columns.*member = columns_of(array, rows);
    }
    return columns;
}

void add_layer_columns(NpzWriter& file, const Dataset& data) {
    const auto add = [&](std::string_view key, const Matrix& columns) {
        if (columns.size() > 0) {
            file.add(key, array_of_columns(columns));
        }
    };
    add("x", data.columns.x);
    add("phi", data.columns.phi);
    add("gates", data.columns.gates);
    add("s", data.columns.s);
    add("u", data.columns.u);
    add("keys", data.columns.keys);
    add("beta", data.columns.beta);
}

/// A cache line of each row at a time: rows whose length is a power of two share their place in the
/// cache, where one entry of each would drive out the others.
void copy_feature_major(const double* rows, Eigen::Ref<Matrix> tokens) {
    constexpr Index kCacheLine = 8;
    const Index n = tokens.cols();
    const Eigen::Map<const Matrix> transposed(rows, n, tokens.rows());
    for (Index t = 0; t < n; t += kCacheLine) {
        const Index part = std::min(kCacheLine, n - t);
        for (Index j = 0; j < tokens.rows(); ++j) {
            tokens.row(j).segment(t, part) = transposed.col(j).segment(t, part).transpose();
        }
    }
}

}  // namespace attest
