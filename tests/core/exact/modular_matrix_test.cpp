#include "core/exact/modular_matrix.hpp"

#include "tests/reference/elimination.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/modular_draws.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {
namespace {

/// Every minor of the matrices drawn here is below 2⁶¹ − 1 by Hadamard's inequality, so ranks and
/// echelon forms modulo this prime are those over Q.
const Modulus kP;

MatrixOf<Rational> to_matrix(const reference::Rows& rows, Index cols) {
    MatrixOf<Rational> A(static_cast<Index>(rows.size()), cols);
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < cols; ++j) {
            A(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
        }
    }
    return A;
}

ModularMatrix identity(Index size) {
    ModularMatrix I(size, size);
    for (Index i = 0; i < size; ++i) {
        I(i, i) = 1;
    }
    return I;
}

TEST(ReducedRowEchelon, FindsPivotsRowsAndTheFormByHand) {
    MatrixOf<Integer> A(4, 3);
    A << 0, 2, 4, 0, 1, 2, 0, 0, 5, 0, 3, 1;

    const Echelon echelon = reduced_row_echelon(Modulus(7), reduce(Modulus(7), A));

    EXPECT_EQ(echelon.pivots, (std::vector<Index>{1, 2}));
    EXPECT_EQ(echelon.R(0, 1), 1U);
    EXPECT_EQ(echelon.R(0, 2), 0U);
    EXPECT_EQ(echelon.R(1, 2), 1U);
    EXPECT_EQ(echelon.pivot_rows.size(), 2U);
}

TEST(Rank, CanFallModuloAPrimeThatDividesAMinor) {
    MatrixOf<Integer> A(2, 2);
    A << 1, 2, 3, 13;  // determinant 7

    EXPECT_EQ(rank(Modulus(7), reduce(Modulus(7), A)), 1);
    EXPECT_EQ(rank(Modulus(5), reduce(Modulus(5), A)), 2);
}

RC_GTEST_PROP(ReducedRowEchelon, EqualsGaussJordanOverTheRationals, ()) {
    const Index cols = draw_index(1, 6);
    const MatrixOf<Integer> A = draw_low_rank(draw_index(1, 6), cols, draw_index(1, 4));

    const Echelon echelon = reduced_row_echelon(kP, reduce(kP, A));
    const reference::Rows expected = reference::reference_echelon(to_rows(A));

    RC_ASSERT(echelon.R == reduce(kP, to_matrix(expected, cols)));
    RC_ASSERT(rank(kP, reduce(kP, A)) == static_cast<Index>(expected.size()));
}

RC_GTEST_PROP(ReducedRowEchelon, NamesIndependentRowsAndColumns, ()) {
    const MatrixOf<Integer> A = draw_low_rank(draw_index(1, 6), draw_index(1, 6), draw_index(1, 4));
    const ModularMatrix residues = reduce(kP, A);

    const Echelon echelon = reduced_row_echelon(kP, residues);

    const ModularMatrix minor =
        select_columns(select_rows(residues, echelon.pivot_rows), echelon.pivots);
    RC_ASSERT(minor.rows() == echelon.rank());
    RC_ASSERT(rank(kP, minor) == echelon.rank());
}

RC_GTEST_PROP(Multiply, EqualsTheIntegerProduct, ()) {
    const Index inner = draw_index(0, 4);
    const auto A = draw_integers<Integer>(draw_index(1, 4), inner);
    const auto B = draw_integers<Integer>(inner, draw_index(1, 4));
    const auto C = draw_integers<Integer>(A.rows(), B.cols());
    const MatrixOf<Integer> AB = A * B;
    const MatrixOf<Integer> difference = C - AB;

    RC_ASSERT(multiply(kP, reduce(kP, A), reduce(kP, B)) == reduce(kP, AB));
    RC_ASSERT(subtract_product(kP, reduce(kP, C), reduce(kP, A), reduce(kP, B)) ==
              reduce(kP, difference));
}

/// Sizes that reach the recursive and Strassen branches of the library underneath.
class LargeElimination : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(LargeElimination, RecoversAPlantedRank) {
    const Modulus p(GetParam());
    const ModularMatrix A =
        multiply(p, filled_matrix(p, 420, 230, 1), filled_matrix(p, 230, 410, 2));

    const Echelon echelon = reduced_row_echelon(p, A);

    EXPECT_EQ(echelon.rank(), 230);
    EXPECT_EQ(rank(p, A), 230);
    EXPECT_EQ(select_columns(echelon.R, echelon.pivots), identity(230));
    EXPECT_EQ(rank(p, stack(A, echelon.R)), 230);
}

TEST_P(LargeElimination, SolvesASquareSystem) {
    const Modulus p(GetParam());
    const ModularMatrix A = filled_matrix(p, 300, 300, 3);
    const ModularMatrix X = filled_matrix(p, 300, 7, 4);

    const std::optional<ModularMatrix> found = solve(p, A, multiply(p, A, X));

    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(*found, X);
}

INSTANTIATE_TEST_SUITE_P(
    Primes,
    LargeElimination,
    ::testing::Values(4194301U, 67108859U, kDefaultPrime, 9223372036854775783U));

TEST(Solve, HasNoValueForASingularMatrix) {
    MatrixOf<Integer> A(2, 2);
    A << 1, 2, 2, 4;

    EXPECT_FALSE(solve(kP, reduce(kP, A), ModularMatrix(2, 1)).has_value());
}

TEST(ReducedRowEchelon, OfZeroOrEmptyMatricesHasRankZero) {
    EXPECT_EQ(reduced_row_echelon(kP, ModularMatrix(3, 2)).rank(), 0);
    EXPECT_EQ(reduced_row_echelon(kP, ModularMatrix(0, 2)).rank(), 0);
    EXPECT_EQ(rank(kP, ModularMatrix(2, 0)), 0);
}

TEST(OtherColumns, ListsTheComplement) {
    EXPECT_EQ(other_columns({1, 3}, 5), (std::vector<Index>{0, 2, 4}));
    EXPECT_EQ(other_columns({}, 2), (std::vector<Index>{0, 1}));
}

TEST(Modular, NamesShapesThatDisagree) {
    const ModularMatrix A(2, 3);

    EXPECT_REFUSED("multiply: got 2x3 times 2x3", multiply(kP, A, A));
    EXPECT_REFUSED("subtract_product: got shapes 2x3 - 2x3 * 2x3", subtract_product(kP, A, A, A));
    EXPECT_REFUSED("solve: A is not square or not as tall as B", solve(kP, A, A));
}

}  // namespace
}  // namespace attest::test
