#include "core/data/token_matrix.hpp"

#include "core/base/error.hpp"

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

}  // namespace attest
