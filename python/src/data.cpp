#include "python/src/data.hpp"

#include "core/data/dataset_file.hpp"
#include "core/data/sources/moments.hpp"
#include "core/layers/parse_layer.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/interruptible.hpp"

#include <pybind11/stl.h>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace attest::python {

namespace py = pybind11;

namespace {

constexpr auto kSize = static_cast<py::ssize_t>(sizeof(double));

/// Tokens further apart are few beside the array that holds them, and a copy is cheaper to read.
/// From here on Eigen also groups the columns of a product by their distance, so that a copy might
/// differ in the last digit.
constexpr py::ssize_t kFurthestApart = 4000;

/// Bytes from one token to the next, where all are equally far apart.
std::optional<py::ssize_t> distance(const StridedTokens& at) {
    if (at.length == 1) {
        return at.sequence;
    }
    const bool even = at.num_sequences == 1 || at.sequence == at.length * at.token;
    return even ? std::optional(at.token) : std::nullopt;
}

/// The array is let go wherever the last data set ends, with the interpreter's lock.
std::shared_ptr<const void> kept(py::buffer_info info) {
    const auto release = [](const py::buffer_info* held) {
        const py::gil_scoped_acquire lock;
        delete held;
    };
    return std::shared_ptr<const py::buffer_info>(new py::buffer_info(std::move(info)), release);
}

}  // namespace

StridedTokens tokens_of_sequences(const py::buffer& array, const std::string& what) {
    py::buffer_info info = doubles_of(array, 3, what);
    StridedTokens tokens{static_cast<const std::byte*>(info.ptr),
                         info.shape[0],
                         info.shape[1],
                         info.shape[2],
                         info.strides[0],
                         info.strides[1],
                         info.strides[2],
                         {}};
    tokens.keeper = kept(std::move(info));
    return tokens;
}

std::optional<TokenMatrix> as_columns(const StridedTokens& tokens) {
    const bool aligned = reinterpret_cast<std::uintptr_t>(tokens.first) % alignof(double) == 0;
    const std::optional<py::ssize_t> bytes = distance(tokens);
    if (!aligned || tokens.d < 1 || tokens.num_tokens() < 1 ||
        (tokens.d > 1 && tokens.entry != kSize) || !bytes) {
        return std::nullopt;
    }
    const py::ssize_t apart = *bytes / kSize;
    if (*bytes % kSize != 0 || apart < tokens.d || (apart != tokens.d && apart >= kFurthestApart)) {
        return std::nullopt;
    }
    return TokenMatrix(BorrowedColumns{reinterpret_cast<const double*>(tokens.first),
                                       tokens.d,
                                       tokens.num_tokens(),
                                       apart,
                                       tokens.keeper});
}

TokenMatrix tokens_from_rows(const py::buffer& array, const std::string& what) {
    py::buffer_info info = doubles_of(array, 2, what);
    StridedTokens rows{static_cast<const std::byte*>(info.ptr),
                       1,
                       info.shape[1],
                       info.shape[0],
                       0,
                       info.strides[1],
                       info.strides[0],
                       {}};
    rows.keeper = kept(std::move(info));
    const std::optional<TokenMatrix> columns = as_columns(rows);
    return columns ? *columns : TokenMatrix(rows.copied(0, rows.num_tokens()));
}

Data::Data(Dataset whole) : data_(std::move(whole)) {
    check(data_);
    sequences_ = std::make_unique<SequencesInMemory>(data_);
}

Data::Data(StridedTokens elsewhere, Dataset rest)
    : data_(std::move(rest)), elsewhere_(std::move(elsewhere)) {
    sequences_ = std::make_unique<StridedSequences>(*elsewhere_, data_);
}

const Dataset& Data::whole() const {
    if (!elsewhere_) {
        return data_;
    }
    std::call_once(copied_, [&] {
        whole_ = data_;
        whole_.tokens = tokens();
    });
    return whole_;
}

Matrix Data::tokens() const {
    return elsewhere_ ? elsewhere_->copied(0, elsewhere_->num_tokens())
                      : Matrix(data_.tokens.view());
}

std::unique_ptr<const MomentSource> Data::source(ReadingAs as) const {
    if (elsewhere_ && as == ReadingAs::parts) {
        return std::make_unique<SlicedSource>(*sequences_);
    }
    return std::make_unique<DatasetSource>(whole());
}

std::unique_ptr<Data> Data::with(const std::function<void(Dataset&)>& change) const {
    Dataset other = data_;
    change(other);
    return elsewhere_ ? std::make_unique<Data>(*elsewhere_, std::move(other))
                      : std::make_unique<Data>(std::move(other));
}

void Data::set_meta(const std::string& meta) {
    data_.meta = meta;
    whole_.meta = meta;
}

namespace {

using Columns = std::map<std::string, py::buffer>;

LayerColumns layer_columns(const Columns& given) {
    const auto read = [&](const char* name) {
        const auto at = given.find(name);
        return at == given.end() ? Matrix() : columns_from_rows(at->second, name);
    };
    return {
        read("x"), read("phi"), read("gates"), read("s"), read("u"), read("keys"), read("beta")};
}

void set_labels(Dataset& data, const std::optional<py::buffer>& y, bool per_prefix) {
    if (y) {
        data.labels = per_prefix ? LabelKind::per_prefix : LabelKind::per_sequence;
        data.y = columns_from_rows(*y, "y");
    }
}

/// Tokens (N,d,n), or (T,d) with offsets (N+1); read where they lie where that can be.
std::unique_ptr<Data> data_from_arrays(const py::buffer& tokens,
                                       const std::optional<py::buffer>& offsets,
                                       const std::optional<py::buffer>& query,
                                       const std::optional<py::buffer>& y,
                                       bool per_prefix,
                                       const Columns& columns,
                                       const std::string& layer) {
    Dataset data;
    std::optional<StridedTokens> elsewhere;
    if (offsets) {
        data.tokens = tokens_from_rows(tokens, "X");
        data.offsets = integers_from(*offsets, "offsets");
    } else {
        elsewhere = tokens_of_sequences(tokens, "X");
        if (auto at_once = as_columns(*elsewhere)) {
            data.tokens = *std::move(at_once);
            elsewhere.reset();
        } else if (!columns.empty()) {
            data.tokens = elsewhere->copied(0, elsewhere->num_tokens());
            elsewhere.reset();
        }
        const py::buffer_info info = tokens.request();
        for (Index i = 0; i <= info.shape[0]; ++i) {
            data.offsets.push_back(i * info.shape[2]);
        }
    }
    if (query) {
        data.query = integers_from(*query, "query");
    }
    set_labels(data, y, per_prefix);
    data.columns = layer_columns(columns);
    data.layer = layer_named(layer);
    return elsewhere ? std::make_unique<Data>(*std::move(elsewhere), std::move(data))
                     : std::make_unique<Data>(std::move(data));
}

std::unique_ptr<Data> read_file(const std::string& path, const std::string& layer) {
    return std::make_unique<Data>(interruptible(
        1, [&] { return read_dataset(path, InvalidExamples::reject, layer_named(layer)); }));
}

std::unique_ptr<Data> with_layer(const Data& data, const std::string& layer) {
    return data.with([&](Dataset& other) {
        other.layer = layer_named(layer);
        GroundTruth& truth = other.truth;  // of another layer it says nothing of this one
        if (truth.P && truth.P->rows() != other.layout().psi()) {
            truth.P.reset();
        }
        if (!other.layer.is_linear()) {
            truth.heads.reset();
        }
    });
}

std::unique_ptr<Data> with_labels(const Data& data, const py::buffer& y, bool per_prefix) {
    return data.with([&](Dataset& other) {
        other.truth = {};  // it is of the labels that were
        set_labels(other, y, per_prefix);
    });
}

/// What generated the labels, under the names of a file's keys.
py::dict truth_of(const Data& data) {
    const GroundTruth& known = data.rest().truth;
    py::dict truth;
    if (known.P) {
        truth["P"] = Matrix(known.P->transpose());
    }
    if (known.heads) {
        py::list V;
        py::list Q;
        for (const Head& head : known.heads->heads) {
            V.append(head.V);
            Q.append(head.Q);
        }
        truth["V"] = V;
        truth["Q"] = Q;
    }
    return truth;
}

}  // namespace

void bind_data(py::module_& module) {
    py::class_<Data>(module, "Data")
        .def(py::init(&data_from_arrays),
             py::arg("tokens"),
             py::arg("offsets"),
             py::arg("query"),
             py::arg("y"),
             py::arg("per_prefix"),
             py::arg("columns"),
             py::arg("layer"))
        .def_static("read", &read_file, py::arg("path"), py::arg("layer"))
        .def("write",
             [](const Data& data, const std::string& path) { write_dataset(path, data.whole()); })
        .def("with_layer", &with_layer, py::arg("layer"))
        .def("with_labels", &with_labels, py::arg("y"), py::arg("per_prefix"))
        .def("set_meta", &Data::set_meta)
        .def_property_readonly("digest", [](const Data& data) { return data.sequences().digest(); })
        .def_property_readonly("num_examples",
                               [](const Data& data) { return data.shape().num_examples(); })
        .def_property_readonly("num_sequences",
                               [](const Data& data) { return data.shape().num_sequences(); })
        .def_property_readonly("num_tokens",
                               [](const Data& data) { return data.shape().num_tokens(); })
        .def_property_readonly("d", [](const Data& data) { return data.shape().d; })
        .def_property_readonly("o", [](const Data& data) { return data.shape().o; })
        .def_property_readonly("psi", [](const Data& data) { return data.shape().layout().psi(); })
        .def_property_readonly("layer",
                               [](const Data& data) { return to_string(data.shape().layer); })
        .def_property_readonly("labels",
                               [](const Data& data) { return to_string(data.shape().labels); })
        .def_property_readonly("offsets", [](const Data& data) { return data.rest().offsets; })
        .def_property_readonly("query", [](const Data& data) { return data.rest().query; })
        .def_property_readonly("meta", [](const Data& data) { return data.rest().meta; })
        .def_property_readonly("truth", &truth_of)
        .def_property_readonly("tokens", &Data::tokens)
        .def_property_readonly("y", [](const Data& data) { return data.rest().y; })
        .def_property_readonly("s", [](const Data& data) { return data.rest().columns.s; })
        .def_property_readonly("u", [](const Data& data) { return data.rest().columns.u; })
        .def_property_readonly("has_columns",
                               [](const Data& data) { return !data.rest().columns.empty(); });
}

}  // namespace attest::python
