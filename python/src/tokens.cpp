#include "python/src/tokens.hpp"

#include "python/src/arrays.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace attest::python {

namespace py = pybind11;

namespace {

constexpr auto kSize = static_cast<py::ssize_t>(sizeof(double));

/// Tokens further apart are few beside the array that holds them: a copy is cheaper to read, and
/// the array need not be kept. From here on Eigen also groups the columns of a product by their
/// distance, so that a copy might differ in the last digit.
constexpr py::ssize_t kFurthestApart = 4000;

/// d×T entries in bytes from the first: `entry` within a token; `token` from one to the next, where
/// they are equally far apart.
struct TokenLayout {
    Index d;
    Index T;
    py::ssize_t entry;
    std::optional<py::ssize_t> token;
};

TokenLayout layout_of_sequences(const py::buffer_info& info) {
    const py::ssize_t n = info.shape[2];
    TokenLayout layout{info.shape[1], info.shape[0] * n, info.strides[1], {}};
    if (n == 1) {
        layout.token = info.strides[0];
    } else if (info.shape[0] == 1 || info.strides[0] == n * info.strides[2]) {
        layout.token = info.strides[2];
    }
    return layout;
}

bool can_be_borrowed(const py::buffer_info& info, const TokenLayout& at) {
    const bool aligned = reinterpret_cast<std::uintptr_t>(info.ptr) % alignof(double) == 0;
    if (!aligned || at.d < 1 || at.T < 1 || (at.d > 1 && at.entry != kSize) || !at.token) {
        return false;
    }
    const py::ssize_t apart = *at.token / kSize;
    return *at.token % kSize == 0 && apart >= at.d && (apart == at.d || apart < kFurthestApart);
}

Matrix copied_sequences(const py::buffer_info& info) {
    const auto* const base = static_cast<const char*>(info.ptr);
    const Index d = info.shape[1];
    const Index n = info.shape[2];
    Matrix tokens(d, info.shape[0] * n);
    for (Index i = 0; i < info.shape[0]; ++i) {
        tokens.middleCols(i * n, n) =
            matrix_at(base + i * info.strides[0], d, n, info.strides[1], info.strides[2]);
    }
    return tokens;
}

TokenMatrix borrowed(py::buffer_info info, const TokenLayout& at) {
    const auto* const first = static_cast<const double*>(info.ptr);
    // The array is let go wherever the last data set ends, with the interpreter's lock.
    const auto release = [](const py::buffer_info* kept) {
        const py::gil_scoped_acquire lock;
        delete kept;
    };
    std::shared_ptr<const py::buffer_info> keeper(new py::buffer_info(std::move(info)), release);
    return TokenMatrix(BorrowedColumns{first, at.d, at.T, *at.token / kSize, std::move(keeper)});
}

}  // namespace

TokenMatrix tokens_from_sequences(const py::buffer& array, const std::string& what) {
    py::buffer_info info = doubles_of(array, 3, what);
    const TokenLayout layout = layout_of_sequences(info);
    return can_be_borrowed(info, layout) ? borrowed(std::move(info), layout)
                                         : TokenMatrix(copied_sequences(info));
}

TokenMatrix tokens_from_rows(const py::buffer& array, const std::string& what) {
    py::buffer_info info = doubles_of(array, 2, what);
    const TokenLayout layout{info.shape[1], info.shape[0], info.strides[1], info.strides[0]};
    return can_be_borrowed(info, layout)
               ? borrowed(std::move(info), layout)
               : TokenMatrix(matrix_at(info.ptr, layout.d, layout.T, layout.entry, *layout.token));
}

}  // namespace attest::python
