#include "core/exact/float_product.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/exact/float_residues.hpp"

#include <algorithm>

namespace attest {

namespace {

/// Rows first … first+count−1 of Aᵀ with balanced entries; a row-major matrix is its transpose in
/// Eigen's order.
Matrix balanced_rows_transposed(const Modulus& p,
                                const ModularMatrix& A,
                                Index first,
                                Index count) {
    Matrix T(A.cols(), count);
    const Residue* from = A.row(first);
    std::transform(from, from + T.size(), T.data(), BalancedResidue(p));
    return T;
}

/// Columns first … first+count−1 of A, transposed, balanced.
Matrix balanced_columns_transposed(const Modulus& p,
                                   const ModularMatrix& A,
                                   Index first,
                                   Index count) {
    Matrix T(count, A.rows());
    for (Index i = 0; i < A.rows(); ++i) {
        const Residue* from = A.row(i) + first;
        std::transform(from, from + count, T.col(i).data(), BalancedResidue(p));
    }
    return T;
}

/// C −= Tᵀ for integers |T| < 2⁵³ − p.
void subtract_transposed(const Modulus& p, ModularMatrix& C, const Matrix& T) {
    const auto prime = static_cast<double>(p.prime());
    Residue* to = C.row(0);
    const double* from = T.data();
    for (Index i = 0; i < T.size(); ++i) {
        double rest = from[i];
        balance(rest, prime);
        const auto shifted = static_cast<std::int64_t>(rest) + static_cast<std::int64_t>(p.prime());
        const auto residue = static_cast<Residue>(shifted);
        to[i] = p.subtract(to[i], residue >= p.prime() ? residue - p.prime() : residue);
    }
}

}  // namespace

ModularMatrix float_subtract_product(const Modulus& p,
                                     ModularMatrix C,
                                     const ModularMatrix& A,
                                     const ModularMatrix& B) {
    require(p.prime() < kFloatPrimeBound, "float_subtract_product: the prime is not below 2^22");
    for (Index first = 0; first < A.cols(); first += kFloatTerms) {
        const Index count = std::min(kFloatTerms, A.cols() - first);
        Matrix T = Matrix::Zero(C.cols(), C.rows());
        add_product(T,
                    balanced_rows_transposed(p, B, first, count),
                    balanced_columns_transposed(p, A, first, count));
        subtract_transposed(p, C, T);
    }
    return C;
}

}  // namespace attest
