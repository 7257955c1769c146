#include "core/softmax/softmax_file.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/parameter_keys.hpp"

#include <cmath>
#include <utility>

namespace attest {

namespace {

/// Matrices of one shape as an array (m,rows,cols).
NpyArray stacked(const std::vector<Matrix>& matrices) {
    const Matrix& first = matrices.front();
    NpyArray array{
        DType::float64, {static_cast<Index>(matrices.size()), first.rows(), first.cols()}, {}};
    for (const Matrix& A : matrices) {
        for (Index i = 0; i < A.rows(); ++i) {
            for (Index j = 0; j < A.cols(); ++j) {
                array.data.push_back(A(i, j));
            }
        }
    }
    return array;
}

void add_softmax_heads(NpzWriter& file, const std::string& prefix, const SoftmaxHeads& heads) {
    std::vector<Matrix> thetas;
    std::vector<Matrix> values;
    for (const SoftmaxHead& head : heads) {
        thetas.push_back(head.Theta);
        values.push_back(head.W);
    }
    file.add(prefix + "Theta", stacked(thetas));
    file.add(prefix + "W", stacked(values));
}

std::vector<Matrix> unstacked(const NpzReader& file, const std::string& key, Index d) {
    const NpyArray array = file.read(key);
    require(array.rank() == 3 && array.shape[0] >= 1 && array.shape[1] == d && array.shape[2] == d,
            "{} has another shape, expected (m,{},{})",
            file.where(key),
            d,
            d);
    std::vector<Matrix> matrices;
    for (Index h = 0; h < array.shape[0]; ++h) {
        Matrix A(d, d);
        for (Index e = 0; e < d * d; ++e) {
            A(e / d, e % d) = array.data[static_cast<std::size_t>(h * d * d + e)];
            require(std::isfinite(A(e / d, e % d)),
                    "{} holds a number that is not finite",
                    file.where(key));
        }
        matrices.push_back(A);
    }
    return matrices;
}

std::optional<SoftmaxHeads> read_truth(const NpzReader& file, Index d) {
    const bool theta = file.contains("truth_Theta");
    require(theta == file.contains("truth_W"),
            "{}: holds one of truth_Theta and truth_W, expected both or none",
            file.name());
    if (!theta) {
        return std::nullopt;
    }
    const std::vector<Matrix> thetas = unstacked(file, "truth_Theta", d);
    const std::vector<Matrix> values = unstacked(file, "truth_W", d);
    require(thetas.size() == values.size(),
            "{}: truth_Theta and truth_W disagree on the number of heads",
            file.name());
    SoftmaxHeads heads;
    for (std::size_t i = 0; i < thetas.size(); ++i) {
        heads.push_back({thetas[i], values[i]});
    }
    return heads;
}

}  // namespace

void write_softmax_data(const std::string& path, const SoftmaxData& data) {
    check(data.examples);
    const Index d = data.examples.d();
    const Index k = data.examples.k;
    const Index N = data.examples.count();
    NpyArray Z{DType::float64, {N, d, k}, {}};
    NpyArray y{DType::float64, {N, k * d}, {}};
    Z.data.reserve(static_cast<std::size_t>(N * d * k));
    for (Index i = 0; i < N; ++i) {
        for (Index v = 0; v < d; ++v) {
            for (Index a = 0; a < k; ++a) {
                Z.data.push_back(data.examples.X(v, i * k + a));
            }
        }
    }
    y.data.assign(data.examples.Y.data(), data.examples.Y.data() + data.examples.Y.size());
    NpzWriter file;
    file.add("Z", Z);
    file.add("y", y);
    if (data.truth) {
        add_softmax_heads(file, "truth_", *data.truth);
    }
    if (!data.meta.empty()) {
        add_meta(file, data.meta);
    }
    file.write(path);
}

SoftmaxData read_softmax_data(const std::string& path) {
    const NpzReader file = NpzReader::open(path);
    Dataset set = load_dataset(file, InvalidExamples::reject).data;
    const Index k = set.length(0);
    for (Index i = 1; i < set.num_sequences(); ++i) {
        require(set.length(i) == k,
                "{}: Z[{}] has {} tokens, expected {} in every sequence",
                path,
                i,
                set.length(i),
                k);
    }
    require(set.labels == LabelKind::per_sequence && set.o() == k * set.d() && set.query.empty(),
            "{}: the labels are no softmax layer's, expected y with k*d = {} entries for each "
            "sequence and no query",
            path,
            k * set.d());
    const Index d = set.d();
    return {{k, std::move(set.tokens.own()), set.y.reshaped(d, set.y.size() / d)},
            read_truth(file, d),
            std::move(set.meta)};
}

void write_softmax_model(const std::string& path,
                         const SoftmaxHeads& heads,
                         const std::string& meta) {
    require(!heads.empty(), "write_softmax_model: got no heads, expected at least one");
    NpzWriter file;
    add_softmax_heads(file, "", heads);
    add_meta(file, meta);
    file.write(path);
}

}  // namespace attest
