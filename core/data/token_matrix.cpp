#include "core/data/token_matrix.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

TokenMatrix::TokenMatrix(BorrowedColumns columns) : borrowed_(std::move(columns)) {
    require(is_borrowed(), "TokenMatrix: got columns that nobody keeps, expected a keeper");
    require(borrowed_.rows >= 0 && borrowed_.cols >= 0 && borrowed_.stride >= borrowed_.rows,
            "TokenMatrix: got columns {}x{} that are {} apart, expected at least {}",
            borrowed_.rows,
            borrowed_.cols,
            borrowed_.stride,
            borrowed_.rows);
}

Matrix& TokenMatrix::own() {
    if (is_borrowed()) {
        owned_ = view();
        borrowed_ = {};
    }
    return owned_;
}

ExponentRange exponent_range(const Eigen::Ref<const Matrix>& A) {
    double least = std::numeric_limits<double>::infinity();
    double most = 0.0;
    for (Index j = 0; j < A.cols(); ++j) {
        for (Index i = 0; i < A.rows(); ++i) {
            const double size = std::abs(A(i, j));
            if (size > 0.0 && std::isfinite(size)) {
                least = std::min(least, size);
                most = std::max(most, size);
            }
        }
    }
    return most > 0.0 ? ExponentRange{std::ilogb(least), std::ilogb(most)} : ExponentRange{};
}

}  // namespace attest
