#include "core/data/dataset_file.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset_layout.hpp"
#include "core/data/layer_columns_file.hpp"
#include "core/data/npz_checks.hpp"
#include "core/data/parameter_keys.hpp"
#include "core/data/sequence_index.hpp"
#include "core/data/shards.hpp"

#include <algorithm>

namespace attest {

namespace {

constexpr Choices<InvalidExamples, 2> kInvalidExamplesNames{
    {{InvalidExamples::reject, "reject"}, {InvalidExamples::skip, "skip"}}};

NpyArray read_numbers(const NpzReader& file, std::string_view key, InvalidExamples policy) {
    NpyArray array = file.read(key);
    if (policy == InvalidExamples::reject) {
        require_finite(file, key, array, "remove the example or pass --skip-invalid");
    }
    return array;
}

Matrix read_tokens(const NpzReader& file, const DatasetLayout& layout, InvalidExamples policy) {
    if (layout.d == 0) {
        return Matrix(0, layout.num_tokens);
    }
    const NpyArray array = read_numbers(file, layout.sequence_key, policy);
    if (layout.form != SequenceForm::feature_major) {
        return columns_of(array, layout.d);
    }
    const Index d = layout.d;
    const Index n = layout.length;
    Matrix tokens(d, layout.num_tokens);
    for (Index i = 0; i < layout.num_sequences; ++i) {
        const Eigen::Map<const Matrix> transposed(array.data.data() + i * d * n, n, d);
        tokens.middleCols(i * n, n) = transposed.transpose();
    }
    return tokens;
}

/// Heads are of the paper's layer; of others the coefficients alone.
GroundTruth read_truth(const NpzReader& file, const Dataset& data) {
    const bool linear = data.layer.is_linear();
    GroundTruth truth;
    if (linear) {
        truth.heads = read_heads(file, "truth_V", "truth_Q");
    }
    if (file.contains("truth_P")) {
        truth.P = linear ? read_coefficients(file, "truth_P")
                         : Matrix(read_matrix(file, "truth_P").transpose());
    }
    const auto fits = [&](Index o) { return data.o() == 0 || o == data.o(); };
    const Index psi = data.layout().psi();
    const std::string expected =
        formatted("d = {}{}", data.d(), data.o() == 0 ? "" : formatted(" and o = {}", data.o()));
    if (truth.heads && !(truth.heads->d == data.d() && fits(truth.heads->o))) {
        refuse_shape(file, "truth_V", expected, "remove truth_V and truth_Q or mend them");
    }
    if (!linear && truth.P && truth.P->rows() != psi) {
        truth.P.reset();  // the truth of another layer than the one that now reads the data
    }
    if (truth.P && !(truth.P->rows() == psi && fits(truth.P->cols()))) {
        refuse_shape(
            file, "truth_P", formatted("{}, (o, {})", expected, psi), "remove truth_P or mend it");
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

}  // namespace attest
