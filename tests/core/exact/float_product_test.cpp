#include "core/exact/float_product.hpp"

#include "core/exact/modular_matrix.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/modular_draws.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace attest {
namespace {

/// C − A·B by the definition, one multiplication at a time.
ModularMatrix subtract_by_definition(const Modulus& p,
                                     ModularMatrix C,
                                     const ModularMatrix& A,
                                     const ModularMatrix& B) {
    for (Index i = 0; i < C.rows(); ++i) {
        for (Index j = 0; j < C.cols(); ++j) {
            for (Index k = 0; k < A.cols(); ++k) {
                C(i, j) = p.subtract(C(i, j), p.multiply(A(i, k), B(k, j)));
            }
        }
    }
    return C;
}

ModularMatrix constant(Index rows, Index cols, Residue value) {
    ModularMatrix A(rows, cols);
    for (Index i = 0; i < rows; ++i) {
        std::fill_n(A.row(i), cols, value);
    }
    return A;
}

TEST(FloatProduct, EqualsTheDefinitionForSmallAndLargestPrimes) {
    for (const std::uint64_t prime : {3U, 101U, 1048573U, 4194301U}) {
        const Modulus p(prime);
        const ModularMatrix A = test::filled_matrix(p, 9, 17, 1);
        const ModularMatrix B = test::filled_matrix(p, 17, 11, 2);
        const ModularMatrix C = test::filled_matrix(p, 9, 11, 3);

        EXPECT_EQ(float_subtract_product(p, C, A, B), subtract_by_definition(p, C, A, B));
    }
}

TEST(FloatProduct, StaysExactWhereSumsAreLargest) {
    // Entries are ± the largest odd balanced residue, over more than one run of 2000 terms: a sum
    // above 2⁵³ would be rounded.
    constexpr Residue kLargest = (kFloatPrime - 1) / 2 - 1;
    const Modulus p(kFloatPrime);
    for (const Residue entry : {kLargest, kFloatPrime - kLargest}) {
        const ModularMatrix A = constant(3, 4100, entry);
        const ModularMatrix B = constant(4100, 2, kLargest);

        EXPECT_EQ(float_subtract_product(p, ModularMatrix(3, 2), A, B),
                  subtract_by_definition(p, ModularMatrix(3, 2), A, B));
    }
}

TEST(FloatProduct, AnswersForTheMatrixProductsOfSmallPrimes) {
    // Large enough that multiply and subtract_product choose it.
    const Modulus p(kFloatPrime);
    const ModularMatrix A = test::filled_matrix(p, 90, 80, 4);
    const ModularMatrix B = test::filled_matrix(p, 80, 70, 5);
    const ModularMatrix zero(90, 70);

    const ModularMatrix minus = subtract_by_definition(p, zero, A, B);
    EXPECT_EQ(subtract_by_definition(p, multiply(p, A, B), A, B), zero);
    EXPECT_EQ(subtract_product(p, zero, A, B), minus);
}

TEST(FloatProduct, RefusesPrimesThatWouldOverflow) {
    const ModularMatrix A(1, 1);

    EXPECT_REFUSED("float_subtract_product: the prime is not below 2^22",
                   float_subtract_product(Modulus(4194319), A, A, A));
}

}  // namespace
}  // namespace attest
