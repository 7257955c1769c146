#include "core/model/forward.hpp"

#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {
namespace {

/// V = E11, Q = E12 with d = 2: the hand example of Algorithm 1's orientation.
Parameters one_head_e11_e12() {
    Matrix V{{1, 0}, {0, 0}};
    Matrix Q{{0, 1}, {0, 0}};
    return {2, 2, {{V, Q}}};
}

TEST(Attend, GivesOneZeroForV11AndQ12AtTheIdentity) {
    const Matrix Z = Matrix::Identity(2, 2);
    const Vector z = Z.col(1);

    EXPECT_EQ(attend<double>(one_head_e11_e12(), Z, z), Vector({{1, 0}}));
}

TEST(Attend, GivesZeroWhenValuesAndQueriesAreExchanged) {
    Parameters theta = one_head_e11_e12();
    std::swap(theta.heads[0].V, theta.heads[0].Q);
    const Matrix Z = Matrix::Identity(2, 2);
    const Vector z = Z.col(1);

    EXPECT_EQ(attend<double>(theta, Z, z), Vector({{0, 0}}));
}

TEST(Attend, GivesZeroWhenTheQueryMatrixIsTransposed) {
    Parameters theta = one_head_e11_e12();
    theta.heads[0].Q.transposeInPlace();
    const Matrix Z = Matrix::Identity(2, 2);
    const Vector z = Z.col(1);

    EXPECT_EQ(attend<double>(theta, Z, z), Vector({{0, 0}}));
}

TEST(Attend, IsZeroWithoutHeads) {
    const Parameters theta{2, 3, {}};
    const Matrix Z = Matrix::Ones(2, 2);
    const Vector z = Z.col(1);

    EXPECT_EQ(attend<double>(theta, Z, z), Vector::Zero(3));
    EXPECT_EQ(attend_all<double>(theta, Z), Matrix::Zero(3, 2));
}

RC_GTEST_PROP(AttendAll, EqualsDefinition21OverTheRationals, ()) {
    const Index d = draw_index(1, 3);
    const auto theta = draw_parameters<Rational>(d, draw_index(1, 3), draw_index(0, 4));
    const auto Z = draw_tokens<Rational>(d);

    const HeadRows heads = head_rows(theta);
    const reference::Rows expected = reference::reference_attention(
        heads.V, heads.Q, to_rows(Z), static_cast<std::size_t>(theta.o));

    RC_ASSERT(to_rows(attend_all<Rational>(theta, Z)) == expected);
}

RC_GTEST_PROP(Attend, EqualsTheQueryColumnOfAttendAllBitForBitOnIntegers, ()) {
    const Index d = draw_index(1, 3);
    const Parameters theta = draw_parameters(d, draw_index(1, 3), draw_index(0, 4));
    const Matrix Z = draw_tokens(d);
    const Index t = draw_index(0, Z.cols() - 1);
    const Matrix S = Z * Z.transpose();

    const Vector y = attend<double>(theta, Z, Z.col(t));

    RC_ASSERT(y == attend_all<double>(theta, Z).col(t));
    RC_ASSERT(y == attend_moments<double>(theta, S, Z.col(t)));
}

RC_GTEST_PROP(Attend, DoesNotChangeWhenAPowerOfTwoMovesFromQToV, ()) {
    const Index d = draw_index(1, 3);
    const Parameters theta = draw_parameters(d, d, 2);
    const Matrix Z = draw_tokens(d);
    Parameters moved = theta;
    moved.heads[0].V *= 8.0;
    moved.heads[0].Q /= 8.0;

    RC_ASSERT(attend_all<double>(moved, Z) == attend_all<double>(theta, Z));
}

TEST(Attend, NamesShapesThatDisagree) {
    const Parameters theta = one_head_e11_e12();
    const Matrix Z = Matrix::Zero(3, 2);
    const Vector z = Vector::Zero(3);
    const Matrix S = Matrix::Zero(3, 3);

    EXPECT_REFUSED("attend_all: Z and the parameters disagree on d", attend_all<double>(theta, Z));
    EXPECT_REFUSED("attend: Z, z and the parameters disagree on d", attend<double>(theta, Z, z));
    EXPECT_REFUSED("attend_moments: S, z and the parameters disagree on d",
                   attend_moments<double>(theta, S, z));
}

TEST(CheckShapes, NamesTheHeadThatDoesNotFit) {
    Parameters theta = one_head_e11_e12();
    theta.heads[0].V = Matrix::Zero(1, 2);

    EXPECT_REFUSED("parameters: got V 1x2 and Q 2x2", check_shapes(theta));
}

}  // namespace
}  // namespace attest::test
