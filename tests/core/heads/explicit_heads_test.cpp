#include "core/heads/explicit_heads.hpp"

#include "core/exact/scalars.hpp"
#include "core/features/coefficients.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest {
namespace {

using ExactMatrix = MatrixOf<Rational>;

ExactMatrix draw_coefficients(Index d, Index o) {
    ExactMatrix P(feature_dim(d), o);
    for (Index i = 0; i < P.size(); ++i) {
        P.data()[i] = Rational(*rc::gen::inRange(-9, 10), *rc::gen::inRange(1, 5));
    }
    return P;
}

RC_GTEST_PROP(SymmetricQueryHeads, RepresentEveryFunctionExactly, ()) {
    const Index d = *rc::gen::inRange<Index>(1, 6);
    const ExactMatrix P = draw_coefficients(d, *rc::gen::inRange<Index>(1, 4));

    const ParametersOf<Rational> theta = symmetric_query_heads(P, d);

    RC_ASSERT(theta.num_heads() == packed_dim(d));
    RC_ASSERT(coefficients(theta) == P);
}

RC_GTEST_PROP(UnitValueHeads, RepresentEveryFunctionExactly, ()) {
    const Index d = *rc::gen::inRange<Index>(1, 6);
    const Index o = *rc::gen::inRange<Index>(1, 4);
    const ExactMatrix P = draw_coefficients(d, o);

    const ParametersOf<Rational> theta = unit_value_heads(P, d);

    RC_ASSERT(theta.num_heads() == o * d);
    RC_ASSERT(coefficients(theta) == P);
}

TEST(SymmetricQueryHeads, OfOneMonomialAreAsComputedByHand) {
    // d = 2, y = S_12 z_1: T_12,1 = 1/2. V_11[2] = 2·T_21,1 = 1, V_12[1] = T_11,2 + T_12,1 − T_12,1
    // = 0 …
    ExactMatrix P = ExactMatrix::Zero(6, 1);
    P(0, 0) = Rational(1);

    const ParametersOf<Rational> theta = symmetric_query_heads(P, 2);

    ASSERT_EQ(theta.num_heads(), 3);
    EXPECT_EQ(theta.heads[0].V, (ExactMatrix{{Rational(0), Rational(1)}}));
    EXPECT_EQ(theta.heads[1].V, (ExactMatrix{{Rational(0), Rational(0)}}));
    EXPECT_EQ(theta.heads[2].V, (ExactMatrix{{Rational(0), Rational(0)}}));
}

TEST(SymmetricQueryHeads, WithAWrongSignRepresentSomethingElse) {
    ExactMatrix P(6, 1);
    P << Rational(1), Rational(2), Rational(3), Rational(4), Rational(5), Rational(6);
    ParametersOf<Rational> theta = symmetric_query_heads(P, 2);
    theta.heads[1].V *= Rational(-1);

    EXPECT_NE(coefficients(theta), P);
}

TEST(ExplicitHeads, RefuseAWrongShape) {
    EXPECT_EQ(test::invalid_input_message(
                  [] { (void)symmetric_query_heads<double>(Matrix::Zero(5, 1), 2); }),
              "symmetric_query_heads: P does not have psi(d) rows");
    EXPECT_EQ(
        test::invalid_input_message([] { (void)unit_value_heads<double>(Matrix::Zero(5, 1), 2); }),
        "unit_value_heads: P does not have psi(d) rows");
}

}  // namespace
}  // namespace attest
