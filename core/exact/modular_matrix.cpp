#include "core/exact/modular_matrix.hpp"

#include <algorithm>

namespace attest {

ModularMatrix::ModularMatrix(Index rows, Index cols)
    : rows_(rows), cols_(cols), entries_(static_cast<std::size_t>(rows * cols), 0) {}

ModularMatrix transpose(const ModularMatrix& A) {
    ModularMatrix T(A.cols(), A.rows());
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < A.cols(); ++j) {
            T(j, i) = A(i, j);
        }
    }
    return T;
}

ModularMatrix select_columns(const ModularMatrix& A, const std::vector<Index>& columns) {
    ModularMatrix B(A.rows(), static_cast<Index>(columns.size()));
    for (Index i = 0; i < A.rows(); ++i) {
        Residue* to = B.row(i);
        for (const Index column : columns) {
            *to++ = A(i, column);
        }
    }
    return B;
}

ModularMatrix select_rows(const ModularMatrix& A, const std::vector<Index>& rows) {
    ModularMatrix B(static_cast<Index>(rows.size()), A.cols());
    Index at = 0;
    for (const Index i : rows) {
        std::copy_n(A.row(i), A.cols(), B.row(at++));
    }
    return B;
}

ModularMatrix stack(const ModularMatrix& A, const ModularMatrix& B) {
    ModularMatrix C(A.rows() + B.rows(), B.cols());
    for (Index i = 0; i < A.rows(); ++i) {
        std::copy_n(A.row(i), A.cols(), C.row(i));
    }
    for (Index i = 0; i < B.rows(); ++i) {
        std::copy_n(B.row(i), B.cols(), C.row(A.rows() + i));
    }
    return C;
}

std::vector<Index> other_columns(const std::vector<Index>& columns, Index cols) {
    std::vector<bool> taken(static_cast<std::size_t>(cols), false);
    for (const Index column : columns) {
        taken[static_cast<std::size_t>(column)] = true;
    }
    std::vector<Index> others;
    for (Index j = 0; j < cols; ++j) {
        if (!taken[static_cast<std::size_t>(j)]) {
            others.push_back(j);
        }
    }
    return others;
}

}  // namespace attest
