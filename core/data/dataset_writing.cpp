#include "core/base/memory.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/layer_columns_file.hpp"
#include "core/data/npz_checks.hpp"
#include "core/data/parameter_keys.hpp"

namespace attest {

namespace {

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
    file.add(data.labels == LabelKind::per_prefix ? "y_prefix" : "y", y);
}

}  // namespace

void write_dataset(const std::string& path, const Dataset& data, Compression compression) {
    check(data);
    const auto elements = static_cast<double>(
        data.tokens.size() + data.y.size() + data.columns.x.size() + data.columns.phi.size() +
        data.columns.gates.size() + data.columns.s.size() + data.columns.u.size());
    // Numbers as an array, as members, as an archive.
    require_memory(8.0 * 3.0 * elements, path + ": writing it", "write fewer sequences at a time");
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

}  // namespace attest
