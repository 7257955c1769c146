#include "python/src/arrays.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <cstddef>
#include <cstring>
#include <string_view>

namespace attest::python {

namespace {

/// Whether the elements are of one of these types, in the notation of Python's struct, native in
/// order of bytes; "=" marks what need not be aligned.
bool is_of(const py::buffer_info& info, std::string_view types, std::size_t size) {
    const bool marked = info.format.size() == 2 && (info.format[0] == '=' || info.format[0] == '@');
    return (marked || info.format.size() == 1) &&
           types.find(info.format.back()) != std::string_view::npos &&
           static_cast<std::size_t>(info.itemsize) == size;
}

/// The matrix whose entry (i, j) stands i·row_step + j·column_step bytes behind `first`, aligned or
/// not.
Matrix matrix_at(
    const void* first, Index rows, Index cols, py::ssize_t row_step, py::ssize_t column_step) {
    const auto* const base = static_cast<const char*>(first);
    Matrix A(rows, cols);
    for (Index j = 0; j < cols; ++j) {
        for (Index i = 0; i < rows; ++i) {
            std::memcpy(&A(i, j), base + i * row_step + j * column_step, sizeof(double));
        }
    }
    return A;
}

}  // namespace

py::buffer_info doubles_of(const py::buffer& array, py::ssize_t rank, const std::string& what) {
    py::buffer_info info = array.request();
    require(info.ndim == rank && is_of(info, "d", sizeof(double)),
            "{}: got {} dimensions of type '{}', expected {} of native float64",
            what,
            info.ndim,
            info.format,
            rank);
    return info;
}

Matrix matrix_from(const py::buffer& array, const std::string& what) {
    const py::buffer_info info = doubles_of(array, 2, what);
    return matrix_at(info.ptr, info.shape[0], info.shape[1], info.strides[0], info.strides[1]);
}

Matrix columns_from_rows(const py::buffer& array, const std::string& what) {
    const py::buffer_info info = doubles_of(array, 2, what);
    return matrix_at(info.ptr, info.shape[1], info.shape[0], info.strides[1], info.strides[0]);
}

std::vector<Index> integers_from(const py::buffer& array, const std::string& what) {
    const py::buffer_info info = array.request();
    require(info.ndim == 1 && is_of(info, "lq", sizeof(Index)),
            "{}: got {} dimensions of type '{}', expected 1 of int64",
            what,
            info.ndim,
            info.format);
    const auto* const base = static_cast<const char*>(info.ptr);
    std::vector<Index> values(static_cast<std::size_t>(info.shape[0]));
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::memcpy(
            &values[i], base + static_cast<py::ssize_t>(i) * info.strides[0], sizeof(Index));
    }
    return values;
}

void bind_arrays(py::module_& module) {
    py::class_<Matrix>(module, "Array", py::buffer_protocol()).def_buffer([](Matrix& A) {
        constexpr auto kSize = static_cast<py::ssize_t>(sizeof(double));
        return py::buffer_info(A.data(),
                               kSize,
                               py::format_descriptor<double>::format(),
                               2,
                               {A.rows(), A.cols()},
                               {kSize, kSize * A.rows()});
    });
}

}  // namespace attest::python
