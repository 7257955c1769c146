#include "core/data/dataset_file.hpp"
#include "core/layers/parse_layer.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/interruptible.hpp"
#include "python/src/tokens.hpp"

#include <pybind11/stl.h>

#include <map>
#include <optional>
#include <utility>

namespace attest::python {

namespace {

using Columns = std::map<std::string, py::buffer>;

LayerColumns layer_columns(const Columns& given) {
    const auto read = [&](const char* name) {
        const auto at = given.find(name);
        return at == given.end() ? Matrix() : columns_from_rows(at->second, name);
    };
    return {read("x"), read("phi"), read("gates"), read("s"), read("u")};
}

void set_labels(Dataset& data, const std::optional<py::buffer>& y, bool per_prefix) {
    if (y) {
        data.labels = per_prefix ? LabelKind::per_prefix : LabelKind::per_sequence;
        data.y = columns_from_rows(*y, "y");
    }
}

/// Tokens (N,d,n), or (T,d) with offsets (N+1); borrowed where that can be.
Dataset data_from_arrays(const py::buffer& tokens,
                         const std::optional<py::buffer>& offsets,
                         const std::optional<py::buffer>& query,
                         const std::optional<py::buffer>& y,
                         bool per_prefix,
                         const Columns& columns,
                         const std::string& layer) {
    Dataset data;
    if (offsets) {
        data.tokens = tokens_from_rows(tokens, "X");
        data.offsets = integers_from(*offsets, "offsets");
    } else {
        data.tokens = tokens_from_sequences(tokens, "X");
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
    check(data);
    return data;
}

Dataset read_file(const std::string& path, const std::string& layer) {
    return interruptible(
        1, [&] { return read_dataset(path, InvalidExamples::reject, layer_named(layer)); });
}

Dataset with_layer(const Dataset& data, const std::string& layer) {
    Dataset other = data;
    other.layer = layer_named(layer);
    check(other);
    return other;
}

Dataset with_labels(const Dataset& data, const py::buffer& y, bool per_prefix) {
    Dataset other = data;
    other.truth = {};  // it is of the labels that were
    set_labels(other, y, per_prefix);
    check(other);
    return other;
}

/// What generated the labels, under the names of a file's keys.
py::dict truth_of(const Dataset& data) {
    py::dict truth;
    if (data.truth.P) {
        truth["P"] = Matrix(data.truth.P->transpose());
    }
    if (data.truth.heads) {
        py::list V;
        py::list Q;
        for (const Head& head : data.truth.heads->heads) {
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
    py::class_<Dataset>(module, "Data")
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
             [](const Dataset& data, const std::string& path) { write_dataset(path, data); })
        .def("with_layer", &with_layer, py::arg("layer"))
        .def("with_labels", &with_labels, py::arg("y"), py::arg("per_prefix"))
        .def("set_meta", [](Dataset& data, const std::string& meta) { data.meta = meta; })
        .def_property_readonly("digest", [](const Dataset& data) { return digest(data); })
        .def_property_readonly("num_examples", &Dataset::num_examples)
        .def_property_readonly("num_sequences", &Dataset::num_sequences)
        .def_property_readonly("num_tokens", [](const Dataset& data) { return data.tokens.cols(); })
        .def_property_readonly("d", &Dataset::d)
        .def_property_readonly("o", &Dataset::o)
        .def_property_readonly("psi", [](const Dataset& data) { return data.layout().psi(); })
        .def_property_readonly("layer", [](const Dataset& data) { return to_string(data.layer); })
        .def_property_readonly("labels", [](const Dataset& data) { return to_string(data.labels); })
        .def_readonly("offsets", &Dataset::offsets)
        .def_readonly("query", &Dataset::query)
        .def_readonly("meta", &Dataset::meta)
        .def_property_readonly("truth", &truth_of)
        .def_property_readonly("tokens",
                               [](const Dataset& data) { return Matrix(data.tokens.view()); })
        .def_property_readonly("y", [](const Dataset& data) { return data.y; })
        .def_property_readonly("s", [](const Dataset& data) { return data.columns.s; })
        .def_property_readonly("u", [](const Dataset& data) { return data.columns.u; })
        .def_property_readonly("has_columns",
                               [](const Dataset& data) { return !data.columns.empty(); });
}

}  // namespace attest::python
