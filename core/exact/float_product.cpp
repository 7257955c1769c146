#include "core/exact/float_product.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"

#include <algorithm>

namespace attest {

namespace {

constexpr Index kTerms = 2000;  // sums of so many products stay below 2⁵³ − 2⁴⁷

/// Rows first … first+count−1 of Aᵀ with balanced entries; a row-major matrix is its transpose in
/// Eigen's order.
Matrix balanced_rows_transposed(const Modulus& p,
                                const ModularMatrix& A,
                                Index first,
                                Index count) {
    Matrix T(A.cols(), count);
    const auto half = p.prime() / 2;
    const auto prime = static_cast<double>(p.prime());
    const Residue* from = A.row(first);
    double* to = T.data();
    for (Index i = 0; i < T.size(); ++i) {
        const auto value = static_cast<double>(from[i]);
        to[i] = from[i] > half ? value - prime : value;
    }
    return T;
}

/// Columns first … first+count−1 of A, transposed, balanced.
Matrix balanced_columns_transposed(const Modulus& p,
                                   const ModularMatrix& A,
                                   Index first,
                                   Index count) {
    Matrix T(count, A.rows());
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < count; ++j) {
            T(j, i) = static_cast<double>(p.balanced(A(i, first + j)));
        }
    }
    return T;
}

/// C −= Tᵀ for integers |T| < 2⁵³ − p.
void subtract_transposed(const Modulus& p, ModularMatrix& C, const Matrix& T) {
    const auto prime = static_cast<double>(p.prime());
    const double inverse = 1.0 / prime;
    // Adding and taking away 1.5·2⁵² rounds to an integer; the quotient is below 2³².
    constexpr double kRound = 6755399441055744.0;
    Residue* to = C.row(0);
    const double* from = T.data();
    for (Index i = 0; i < T.size(); ++i) {
        const double quotient = (from[i] * inverse + kRound) - kRound;
        // quotient·p lies within p of T, so both operands and the difference are exact.
        const double rest = from[i] - quotient * prime;
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
    for (Index first = 0; first < A.cols(); first += kTerms) {
        const Index count = std::min(kTerms, A.cols() - first);
        Matrix T = Matrix::Zero(C.cols(), C.rows());
        add_product(T,
                    balanced_rows_transposed(p, B, first, count),
                    balanced_columns_transposed(p, A, first, count));
        subtract_transposed(p, C, T);
    }
    return C;
}

}  // namespace attest
