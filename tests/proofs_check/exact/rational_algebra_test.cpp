#include "proofs_check/exact/rational_algebra.hpp"

#include "core/base/error.hpp"
#include "tests/reference/elimination.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {
namespace {

TEST(RationalAlgebra, HandExample) {
    const RationalMatrix A{{1, 2}, {3, 5}};

    EXPECT_EQ(rational_determinant(A), -1);
    EXPECT_EQ(rational_inverse(A), (RationalMatrix{{-5, 2}, {3, -1}}));
    EXPECT_EQ(rational_rank(RationalMatrix{{1, 2}, {2, 4}}), 1);
    EXPECT_EQ(to_text(A / Rational(2)), "[[1/2, 1], [3/2, 5/2]]");
    EXPECT_EQ(to_text_vector(A.col(0)), "(1, 3)");
    EXPECT_EQ(squared_norm(A), 39);
}

RC_GTEST_PROP(RationalAlgebra, RankDeterminantAndNullSpaceAgreeWithPlainElimination, ()) {
    const Index rows = draw_index(1, 5);
    const Index cols = draw_index(1, 5);
    const Index inner = draw_index(1, 5);
    const RationalMatrix A =
        draw_integers<Rational>(rows, inner) * draw_integers<Rational>(inner, cols);

    const RationalMatrix kernel = rational_null_space(A);

    RC_ASSERT(rational_rank(A) == static_cast<Index>(reference::reference_rank(to_rows(A))));
    RC_ASSERT(kernel.cols() == cols - rational_rank(A));
    RC_ASSERT((A * kernel).isZero(Rational(0)));
    RC_ASSERT(rational_rank(kernel) == kernel.cols());
    const RationalMatrix G = A * A.transpose();
    RC_ASSERT(rational_determinant(G) == reference::reference_determinant(to_rows(G)));
}

RC_GTEST_PROP(RationalAlgebra, SolveFindsASolutionExactlyWhenThereIsOne, ()) {
    const Index rows = draw_index(1, 4);
    const RationalMatrix A =
        draw_integers<Rational>(rows, 2) * draw_integers<Rational>(2, draw_index(1, 4));
    const RationalMatrix inside = A * draw_integers<Rational>(A.cols(), 2);
    const RationalMatrix any = draw_integers<Rational>(rows, 1);
    RationalMatrix extended(rows, A.cols() + 1);
    extended << A, any;

    const std::optional<RationalMatrix> solution = rational_solve(A, inside);
    const std::optional<RationalMatrix> perhaps = rational_solve(A, any);

    RC_ASSERT(solution.has_value());
    RC_ASSERT(A * *solution == inside);
    RC_ASSERT(perhaps.has_value() == (rational_rank(extended) == rational_rank(A)));
}

RC_GTEST_PROP(Definiteness, GramMatricesAreSemidefiniteOfTheirRank, ()) {
    const RationalMatrix B = draw_integers<Rational>(draw_index(1, 4), draw_index(1, 4));
    const RationalMatrix G = B.transpose() * B;

    const Definiteness found = definiteness(G);

    RC_ASSERT(found.semidefinite);
    RC_ASSERT(found.rank == rational_rank(B));
    RationalMatrix lowered = G;
    lowered(0, 0) = -1;
    RC_ASSERT(!definiteness(lowered).semidefinite);
}

TEST(Definiteness, RefusesAZeroPivotWithARowThatIsNot) {
    EXPECT_FALSE(definiteness(RationalMatrix{{0, 1}, {1, 5}}).semidefinite);
    EXPECT_TRUE(definiteness(RationalMatrix{{0, 0}, {0, 5}}).semidefinite);
    EXPECT_FALSE(definiteness(RationalMatrix{{0, 0}, {0, 5}}).positive(2));
    EXPECT_TRUE(definiteness(RationalMatrix{{1, 0}, {0, 5}}).positive(2));
}

TEST(RationalAlgebra, SingularMatricesHaveNoInverse) {
    EXPECT_THROW((void)rational_inverse(RationalMatrix::Zero(2, 2)), BrokenInvariant);
}

TEST(RandomIntegers, CoverTheirRangeAndNothingElse) {
    const RationalMatrix A = random_integers(20, 20, 2, Stream(3));

    for (Index value = -2; value <= 2; ++value) {
        EXPECT_TRUE((A.array() == Rational(value)).any()) << value;
    }
    EXPECT_TRUE((A.array() <= Rational(2)).all() && (A.array() >= Rational(-2)).all());
}

}  // namespace
}  // namespace attest::test
