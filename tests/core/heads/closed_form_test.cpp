#include "core/heads/closed_form.hpp"

#include "core/features/coefficients.hpp"
#include "core/heads/iterations.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

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
    EXPECT_EQ(test::invalid_input_message([] {
                  (void)closed_form_heads(Matrix::Ones(feature_dim(3), 2), 3, 3, Stream(13));
              }),
              "closed_form_heads: got 3 heads, expected 1 to 2");
}

}  // namespace
}  // namespace attest
