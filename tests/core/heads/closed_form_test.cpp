#include "core/heads/closed_form.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/exact/scalars.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/explicit_heads.hpp"
#include "core/heads/isometric.hpp"
#include "core/heads/iterations.hpp"
#include "core/heads/linear_construction.hpp"
#include "core/heads/lower_bound.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>

namespace attest {

namespace {

/// The error of the closed form is that of a linear system of condition 1/rcond, twice over:
/// M(x₀)'s separation enters the outer blocks, the inner system uses them.
double closed_form_bound(const ClosedForm& closed, Index d, Index o) {
    return test::representation_bound(d, o) / (closed.rcond * closed.separation);
}

TEST(ClosedForm, RecoversDenseHeadsUpToTwoBelowD) {
    for (const Index d : {3, 4, 5, 6, 8}) {
        for (Index H = 1; H <= d - 2; ++H) {
            const Parameters theta = test::normal_parameters(d, d, H, Stream(1).child(d).child(H));

            const auto closed = closed_form_heads(coefficients(theta), d, H, Stream(2));

            ASSERT_TRUE(closed.has_value());
            EXPECT_EQ(closed->nullity, 0);
            EXPECT_LE(closed->residual,
                      std::min(closed_form_bound(*closed, d, d), test::kResidualBar));
        }
    }
}

TEST(ClosedForm, RecoversRectangularValues) {
    for (const auto& [d, o, H] : {std::array<Index, 3>{4, 2, 2}, {4, 6, 3}, {3, 5, 2}, {2, 4, 1}}) {
        const Parameters theta = test::normal_parameters(d, o, H, Stream(3).child(d).child(o));

        const auto closed = closed_form_heads(coefficients(theta), d, H, Stream(4));

        ASSERT_TRUE(closed.has_value());
        EXPECT_LE(closed->residual, closed_form_bound(*closed, d, o));
    }
}

TEST(ClosedForm, HasTheKnownNullSpaceOneBelowD) {
    // C(d − 1, 3) for d = 3 … 8.
    constexpr std::array<Index, 6> kNullity{0, 1, 4, 10, 20, 35};

    for (Index d = 3; d <= 8; ++d) {
        const Parameters theta = test::normal_parameters(d, d, d - 1, Stream(5).child(d));

        const auto closed = closed_form_heads(coefficients(theta), d, d - 1, Stream(6));

        ASSERT_TRUE(closed.has_value());
        EXPECT_EQ(closed->nullity, kNullity.at(static_cast<std::size_t>(d - 3))) << d;
    }
}

TEST(ClosedForm, IsAStartFromWhichVariableProjectionFinishes) {
    const Index d = 5;
    const Parameters theta = test::normal_parameters(d, d, d - 1, Stream(7));
    const FitTarget target = frobenius_target(coefficients(theta), d);

    const auto closed = closed_form_heads(target.P, d, d - 1, Stream(8));

    ASSERT_TRUE(closed.has_value());
    EXPECT_GT(closed->residual, test::kMissed);
    EXPECT_EQ(variable_projection(target, closed->factors.Q, FitControl{}).end, FitEnd::target);
}

TEST(ClosedForm, SaysWhenThereAreFewerHeads) {
    const Parameters theta = test::normal_parameters(4, 4, 1, Stream(9));

    EXPECT_FALSE(closed_form_heads(coefficients(theta), 4, 2, Stream(10)).has_value());
}

TEST(ClosedForm, OfAGenericTargetLeavesALargeResidual) {
    const Matrix P = test::generic_coefficients(4, 4, Stream(11));

    EXPECT_GT(closed_form_heads(P, 4, 2, Stream(12))->residual, test::kMissed);
}

TEST(ClosedForm, RefusesMoreHeadsThanOutputs) {
    EXPECT_REFUSED("closed_form_heads: got 3 heads",
                   closed_form_heads(Matrix::Ones(feature_dim(3), 2), 3, 3, Stream(13)));
}

TEST(LinearConstruction, RepresentsEveryFunctionWithFewerThanDSquaredHeads) {
    for (const Index d : {1, 2, 3, 4, 5, 6}) {
        for (const Index o : {Index{1}, Index{2}, Index{3}, d, d + 3}) {
            const Matrix P = test::generic_coefficients(d, o, Stream(1).child(d).child(o));

            const LinearConstruction linear = linear_construction(P, d, Stream(2));

            EXPECT_EQ(linear.factors.Q.rows(), linear_head_count(d, o));
            ASSERT_GT(linear.rcond, 0.0);
            // Rounding of the solution, magnified at most by the condition number.
            const double bound = test::representation_bound(d, o) / linear.rcond;
            EXPECT_LE(linear.residual, std::min(bound, test::kResidualBar)) << d << ' ' << o;
        }
    }
}

TEST(LinearConstruction, HeadsComputeTheSameCoefficients) {
    const Matrix P = test::generic_coefficients(3, 2, Stream(3));

    const LinearConstruction linear = linear_construction(P, 3, Stream(4));

    const Parameters heads = balanced_heads(linear.factors, 3);
    EXPECT_LT(difference_ratio(P, coefficients(heads)), 30.0 / linear.rcond);
    EXPECT_EQ(heads.num_heads(), 4);
}

TEST(LinearConstruction, DependsOnlyOnItsStream) {
    const Matrix P = test::generic_coefficients(3, 2, Stream(5));

    EXPECT_EQ(linear_construction(P, 3, Stream(6)).factors.Q,
              linear_construction(P, 3, Stream(6)).factors.Q);
    EXPECT_NE(linear_construction(P, 3, Stream(6)).factors.Q,
              linear_construction(P, 3, Stream(7)).factors.Q);
}

TEST(QueryDesign, RefusesValuesOfTheWrongShape) {
    EXPECT_REFUSED("query_design: V does not have o·d rows", query_design(Matrix::Zero(3, 1), 2));
}

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
    EXPECT_REFUSED("symmetric_query_heads: P does not have psi(d) rows",
                   symmetric_query_heads<double>(Matrix::Zero(5, 1), 2));
    EXPECT_REFUSED("unit_value_heads: P does not have psi(d) rows",
                   unit_value_heads<double>(Matrix::Zero(5, 1), 2));
}

}  // namespace

}  // namespace attest
