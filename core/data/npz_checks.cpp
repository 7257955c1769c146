#include "core/data/npz_checks.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

// "[17] … at (2,5)": the first subscript, then the others.
std::string place(std::string_view what, std::span<const Index> shape, Index at) {
    std::vector<Index> subscript(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        subscript[axis] = at % shape[axis];
        at /= shape[axis];
    }
    std::string text = subscript.empty() ? "" : formatted("[{}]", subscript[0]);
    text += formatted(" holds {}", what);
    for (std::size_t axis = 1; axis < subscript.size(); ++axis) {
        text += formatted("{}{}", axis == 1 ? " at (" : ",", subscript[axis]);
    }
    return text + (subscript.size() > 1 ? ")" : "");
}

}  // namespace

void refuse(const NpzReader& file,
            std::string_view key,
            std::string_view found,
            std::string_view expected,
            std::string_view mend) {
    throw InvalidInput(formatted("{} {}, expected {}; {}", file.where(key), found, expected, mend));
}

void refuse_shape(const NpzReader& file,
                  std::string_view key,
                  std::string_view expected,
                  std::string_view mend) {
    refuse(file, key, "has shape " + shape_text(file.header(key).shape), expected, mend);
}

void require_dimension(const NpzReader& file,
                       std::string_view key,
                       std::string_view name,
                       Index size) {
    if (size < 1 || size > kMaxDimension) {
        refuse_shape(file,
                     key,
                     formatted("{} from 1 to {}", name, kMaxDimension),
                     "check the order of the axes");
    }
}

void require_finite(const NpzReader& file,
                    std::string_view key,
                    const NpyArray& array,
                    std::string_view mend) {
    require_finite(file.where(key), array.data, array.shape, 0, mend);
}

void require_finite(std::string_view where,
                    std::span<const double> elements,
                    std::span<const Index> shape,
                    Index first,
                    std::string_view mend) {
    const auto bad = std::find_if_not(
        elements.begin(), elements.end(), [](double value) { return std::isfinite(value); });
    if (bad != elements.end()) {
        throw InvalidInput(
            formatted("{}{}; {}",
                      where,
                      place(name_of_non_finite(*bad), shape, first + (bad - elements.begin())),
                      mend));
    }
}

std::vector<Index> read_integers(const NpzReader& file, std::string_view key) {
    const NpyHeader header = file.header(key);
    if (header.shape.size() != 1) {
        refuse_shape(file, key, "one axis", "store a plain list of integers");
    }
    if (!is_integer(header.dtype)) {
        refuse(file,
               key,
               formatted("has dtype {}", to_string(header.dtype)),
               "integers",
               "convert it with .astype(numpy.int64)");
    }
    const NpyArray array = file.read(key);
    std::vector<Index> integers(array.data.size());
    std::transform(array.data.begin(), array.data.end(), integers.begin(), [](double value) {
        return static_cast<Index>(value);
    });
    return integers;
}

Matrix columns_of(const NpyArray& array, Index rows) {
    const auto size = static_cast<Index>(array.data.size());
    ensure(rows >= 1 && size % rows == 0, "columns_of: the array does not divide into columns");
    return Eigen::Map<const Matrix>(array.data.data(), rows, size / rows);
}

NpyArray array_of_columns(const Eigen::Ref<const Matrix>& columns) {
    NpyArray array{DType::float64, {columns.cols(), columns.rows()}, {}};
    array.data.resize(static_cast<std::size_t>(columns.size()));
    Eigen::Map<Matrix>(array.data.data(), columns.rows(), columns.cols()) = columns;
    return array;
}

}  // namespace attest
