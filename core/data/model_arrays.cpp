#include "core/data/model_arrays.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/data/archive/npz.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

constexpr std::string_view kMendNumbers = "write finite numbers";
constexpr std::string_view kMendText =
    "store numpy.frombuffer(json.dumps(...).encode(), numpy.uint8)";

void check_head_shapes(const NpzReader& file, std::string_view key_V, std::string_view key_Q) {
    const std::vector<Index> V = file.header(key_V).shape;
    const std::vector<Index> Q = file.header(key_Q).shape;
    if (V.size() != 3) {
        refuse_shape(file, key_V, "three axes (H,o,d)", "stack the heads along the first axis");
    }
    require_dimension(file, key_V, "o", V[1]);
    require_dimension(file, key_V, "d", V[2]);
    const std::vector<Index> fitting{V[0], V[2], V[2]};
    if (Q != fitting) {
        refuse_shape(file,
                     key_Q,
                     formatted("{} to fit {} {}", shape_text(fitting), key_V, shape_text(V)),
                     "stack Q_h = W_K^T W_Q of all heads along the first axis");
    }
}

}  // namespace

Matrix slice(const NpyArray& array, Index h) {
    const Index rows = array.shape[1];
    const Index cols = array.shape[2];
    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>
        stored(array.data.data() + h * rows * cols, rows, cols);
    return stored;
}

void append_rows(NpyArray& array, const Matrix& A) {
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < A.cols(); ++j) {
            array.data.push_back(A(i, j));
        }
    }
}

std::optional<Parameters> read_heads(const NpzReader& file,
                                     std::string_view key_V,
                                     std::string_view key_Q) {
    if (!file.contains(key_V) && !file.contains(key_Q)) {
        return std::nullopt;
    }
    if (!file.contains(key_V) || !file.contains(key_Q)) {
        const bool has_V = file.contains(key_V);
        refuse(file,
               has_V ? key_V : key_Q,
               "stands alone",
               formatted("{} beside it", has_V ? key_Q : key_V),
               "store both or neither");
    }
    check_head_shapes(file, key_V, key_Q);
    const NpyArray V = file.read(key_V);
    require_finite(file, key_V, V, kMendNumbers);
    const NpyArray Q = file.read(key_Q);
    require_finite(file, key_Q, Q, kMendNumbers);
    Parameters theta{V.shape[2], V.shape[1], {}};
    for (Index h = 0; h < V.shape[0]; ++h) {
        theta.heads.push_back({slice(V, h), slice(Q, h)});
    }
    return theta;
}

void add_heads(NpzWriter& file,
               std::string_view key_V,
               std::string_view key_Q,
               const Parameters& theta) {
    check_shapes(theta);
    NpyArray V{DType::float64, {theta.num_heads(), theta.o, theta.d}, {}};
    NpyArray Q{DType::float64, {theta.num_heads(), theta.d, theta.d}, {}};
    for (const Head& head : theta.heads) {
        append_rows(V, head.V);
        append_rows(Q, head.Q);
    }
    file.add(key_V, V);
    file.add(key_Q, Q);
}

std::optional<Index> dimension_of_features(Index psi) {
    const auto guess = static_cast<Index>(std::cbrt(2.0 * static_cast<double>(psi)));
    for (Index d = std::max<Index>(1, guess - 1); d <= guess + 1 && d <= kMaxDimension; ++d) {
        if (feature_dim(d) == psi) {
            return d;
        }
    }
    return std::nullopt;
}

std::optional<Matrix> read_coefficients(const NpzReader& file, std::string_view key) {
    if (!file.contains(key)) {
        return std::nullopt;
    }
    const std::vector<Index> shape = file.header(key).shape;
    if (shape.size() != 2 || !dimension_of_features(shape[1])) {
        refuse_shape(file,
                     key,
                     "two axes (o,psi) with psi = d*d*(d+1)/2 for some d",
                     "store the coefficients of one output a row");
    }
    require_dimension(file, key, "o", shape[0]);
    const NpyArray array = file.read(key);
    require_finite(file, key, array, kMendNumbers);
    return columns_of(array, shape[1]);
}

void add_coefficients(NpzWriter& file, std::string_view key, const Matrix& P) {
    file.add(key, array_of_columns(P));
}

Matrix read_matrix(const NpzReader& file, std::string_view key) {
    const NpyArray array = file.read(key);
    if (array.shape.size() != 2) {
        refuse_shape(file, key, "two axes", "store one row an output");
    }
    require_finite(file, key, array, kMendNumbers);
    return columns_of(array, array.shape[1]).transpose();
}

std::string read_text(const NpzReader& file, std::string_view key, std::string_view what) {
    const NpyHeader header = file.header(key);
    if (header.dtype != DType::uint8 || header.shape.size() != 1) {
        refuse(file,
               key,
               formatted("has shape {} of {}", shape_text(header.shape), to_string(header.dtype)),
               formatted("one axis of uint8, the bytes of {}", what),
               kMendText);
    }
    std::string text;
    for (const double code : file.read(key).data) {
        text += static_cast<char>(static_cast<unsigned char>(code));
    }
    return text;
}

void add_text(NpzWriter& file, std::string_view key, std::string_view text) {
    NpyArray bytes{DType::uint8, {static_cast<Index>(text.size())}, {}};
    for (const char letter : text) {
        bytes.data.push_back(static_cast<unsigned char>(letter));
    }
    file.add(key, bytes);
}

std::string read_meta(const NpzReader& file) {
    if (!file.contains("meta")) {
        return {};
    }
    std::string text = read_text(file, "meta", "a JSON text");
    if (!text.empty() && !nlohmann::json::accept(text)) {
        refuse(file, "meta", formatted("reads {}", in_quotes(text)), "JSON in UTF-8", kMendText);
    }
    return text;
}

void add_meta(NpzWriter& file, std::string_view meta) {
    require(
        nlohmann::json::accept(meta), "add_meta: got {}, expected JSON in UTF-8", in_quotes(meta));
    add_text(file, "meta", meta);
}

}  // namespace attest
