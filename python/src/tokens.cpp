#include "python/src/tokens.hpp"

#include "python/src/arrays.hpp"

#include <cstdint>
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

std::optional<TokenMatrix> as_columns(const StridedTokens& at) {
    const bool aligned = reinterpret_cast<std::uintptr_t>(at.first) % alignof(double) == 0;
    const std::optional<py::ssize_t> bytes = distance(at);
    if (!aligned || at.d < 1 || at.num_tokens() < 1 || (at.d > 1 && at.entry != kSize) || !bytes) {
        return std::nullopt;
    }
    const py::ssize_t apart = *bytes / kSize;
    if (*bytes % kSize != 0 || apart < at.d || (apart != at.d && apart >= kFurthestApart)) {
        return std::nullopt;
    }
    return TokenMatrix(BorrowedColumns{
        reinterpret_cast<const double*>(at.first), at.d, at.num_tokens(), apart, at.keeper});
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

}  // namespace attest::python
