#include "core/exact/float_echelon.hpp"

#include "core/exact/row_basis.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace attest {
namespace {

/// Pseudorandom residues.
ModularMatrix random_matrix(const Modulus& p, Index rows, Index cols, std::uint64_t seed) {
    ModularMatrix A(rows, cols);
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < cols; ++j) {
            A(i, j) = split_mix(++seed) % p.prime();
        }
    }
    return A;
}

/// rows×cols of this rank at most, and most entries of its factors zero, so that pivots are
/// anywhere.
ModularMatrix of_rank(const Modulus& p, Index rows, Index cols, Index rank, std::uint64_t seed) {
    ModularMatrix L = random_matrix(p, rows, rank, seed);
    ModularMatrix R = random_matrix(p, rank, cols, seed + 1000003);
    for (ModularMatrix* const M : {&L, &R}) {
        for (Index i = 0; i < M->rows(); ++i) {
            for (Index j = 0; j < M->cols(); ++j) {
                (*M)(i, j) = (*M)(i, j) % 5 < 2 ? (*M)(i, j) : 0;
            }
        }
    }
    return multiply(p, L, R);
}

std::vector<Index> sorted(std::vector<Index> values) {
    std::sort(values.begin(), values.end());
    return values;
}

void expect_the_rows_of_the_other_basis(const Modulus& p,
                                        const ModularMatrix& A,
                                        Index block_rows) {
    ModularRowBasis basis(p, A.cols(), {.block_rows = block_rows});
    basis.append(A, ModularMatrix(A.rows(), 0));
    basis.flush();
    FloatEchelon form(p, A.cols(), block_rows);
    form.append(A);
    form.flush();

    ASSERT_EQ(form.rank(), basis.rank());
    EXPECT_EQ(sorted(form.pivots()), sorted(basis.pivots())) << "the leading columns";
    const ModularMatrix minor = select_columns(select_rows(A, form.pivot_rows()), form.pivots());
    EXPECT_EQ(rank(p, minor), form.rank());
    EXPECT_TRUE(std::is_sorted(form.pivot_rows().begin(), form.pivot_rows().end()));
}

TEST(FloatEchelon, OfAHandExample) {
    const Modulus p(7);
    ModularMatrix A(3, 3);
    A(0, 1) = 2;
    A(1, 1) = 4;  // twice the first
    A(2, 0) = 5;
    FloatEchelon form(p, 3, 2);
    form.append(A);
    form.flush();
    EXPECT_EQ(form.rank(), 2);
    EXPECT_EQ(form.pivots(), (std::vector<Index>{1, 0}));
    EXPECT_EQ(form.pivot_rows(), (std::vector<Index>{0, 2}));
}

/// Sums of 2250 products of the largest residues at one column, where a block in between begins to
/// the right of it: beyond 2⁵³ unless whole rows are reduced on the way.
TEST(FloatEchelon, ReducesSumsToTheLeftOfABlockToo) {
    const Modulus p(kFloatPrime);
    constexpr Index kBlock = 250;
    constexpr Index kLeft = 9 * kBlock;  // pivots 0 … 2249; then the column of the sums
    constexpr Index kColumns = kLeft + 1 + kBlock;
    const Residue half = (p.prime() - 1) / 2;
    ModularMatrix A(10 * kBlock, kColumns);
    Index left = 0;
    for (Index i = 0; i < A.rows(); ++i) {
        if (i / kBlock == 7) {
            A(i, kLeft + 1 + i % kBlock) = 1;
        } else {
            A(i, left++) = 1;
            A(i, kLeft) = half;
        }
    }
    ModularMatrix sum(1, kColumns);  // half times all rows but those of the block in between
    for (Index j = 0; j < kLeft; ++j) {
        sum(0, j) = half;
    }
    sum(0, kLeft) = p.multiply(p.multiply(half, half), static_cast<Residue>(kLeft));

    FloatEchelon form(p, kColumns, kBlock);
    form.append(A);
    form.flush();
    form.append(sum);
    form.flush();

    EXPECT_EQ(form.rank(), A.rows()) << "the last row is a combination of the others";
}

TEST(FloatEchelon, TakesNoMoreRowsABlockThanItsSumsMayHave) {
    EXPECT_REFUSED("FloatEchelon", FloatEchelon(Modulus(kFloatPrime), 3, 2000));
}

TEST(FloatEchelon, FindsThePivotsOfTheModularBasisForEveryShapeAndRank) {
    for (const std::uint64_t prime : {std::uint64_t{3}, std::uint64_t{65537}, kFloatPrime}) {
        const Modulus p(prime);
        for (const Index n : {1, 7, 64, 150}) {
            for (const Index rank : {Index{0}, n / 3, n}) {
                for (const Index block_rows : {1, 9, 64, 100}) {
                    SCOPED_TRACE(n);
                    const auto seed = prime + static_cast<std::uint64_t>(17 * n + rank);
                    expect_the_rows_of_the_other_basis(
                        p, of_rank(p, n + n / 2 + 1, n, rank, seed), block_rows);
                }
            }
        }
    }
}

TEST(FloatEchelon, HoldsForMoreRowsThanProductsThatADoubleHolds) {
    // Rank 2300 with residues that are largest in size.
    const Modulus p(kFloatPrime);
    const Index n = 2600;
    ModularMatrix A = random_matrix(p, 2400, n, 5);
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < n; ++j) {
            A(i, j) = A(i, j) % 2 == 0 ? p.prime() / 2 : p.prime() / 2 + 1;
            if (i >= 2300) {  // combinations of the rows before
                A(i, j) = p.add(A(i - 2300, j), A((i * 7) % 2300, j));
            }
        }
    }
    FloatEchelon form(p, n, 256);
    form.append(A);
    form.flush();
    EXPECT_EQ(form.rank(), 2300);
}

TEST(FloatEchelon, ADependentRowIsScreenedAndAnIndependentOneIsNot) {
    const Modulus p(kFloatPrime);
    const ModularMatrix low = of_rank(p, 400, 120, 40, 9);
    FloatEchelon form(p, 120, 32);
    form.append(low);  // dependent rows from the second block on
    form.append(random_matrix(p, 3, 120, 77));
    form.append(low);
    form.flush();
    EXPECT_EQ(form.rank(), 43);
    EXPECT_EQ(sorted({form.pivot_rows().end() - 3, form.pivot_rows().end()}),
              (std::vector<Index>{400, 401, 402}));
}

TEST(FloatEchelon, RefusesALargePrimeAndRowsOfAnotherLength) {
    EXPECT_REFUSED("FloatEchelon: the prime is not below 2^22", FloatEchelon(Modulus(), 3, 4));
    FloatEchelon form(Modulus(kFloatPrime), 3, 4);
    EXPECT_REFUSED("append: got rows of 2 entries, expected 3", form.append(ModularMatrix(1, 2)));
}

}  // namespace
}  // namespace attest
