#include "core/softmax/sign_cone.hpp"

#include "core/algebra/matrix.hpp"
#include "core/base/error.hpp"
#include "core/rng/sample.hpp"
#include "core/softmax/diagnostics.hpp"
#include "core/softmax/sculpt.hpp"
#include "tests/core/softmax/planted.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace attest::test {
namespace {

/// Rank-one v on which every head has the same sign, that sign made positive.
Matrix agreeing_signs(const SoftmaxHeads& heads, Index count) {
    const Index d = heads.front().Theta.rows();
    const Matrix x = normal_matrix(d, count, Stream(3));
    const Matrix y = normal_matrix(d, count, Stream(4));
    Matrix v(d * d, count);
    Index kept = 0;
    for (Index t = 0; t < count; ++t) {
        const auto logit = [&](const SoftmaxHead& head) {
            return x.col(t).dot(head.Theta * y.col(t));
        };
        const double sign = logit(heads.front()) > 0.0 ? 1.0 : -1.0;
        if (std::all_of(heads.begin(), heads.end(), [&](const SoftmaxHead& head) {
                return sign * logit(head) > 0.0;
            })) {
            v.col(kept++) =
                sign * flatten<double>(x.col(t).normalized() * y.col(t).normalized().transpose());
        }
    }
    return v.leftCols(kept);
}

double cosine(const Vector& ray, const SoftmaxHead& head) {
    return ray.dot(flatten<double>(head.Theta)) / head.Theta.norm();
}

TEST(ExtremeRays, OfAnOrthantAreItsAxes) {
    const Matrix rays = extreme_rays(Matrix::Identity(4, 4), 40);

    ASSERT_GE(rays.cols(), 20);
    // The programs stop at relative residuals of 1e-9.
    EXPECT_LT((rays.colwise().maxCoeff().array() - 1.0).abs().maxCoeff(), 1e-7);
    for (Index axis = 0; axis < 4; ++axis) {
        EXPECT_GT(rays.row(axis).maxCoeff(), 0.5) << "every axis is met";
    }
}

TEST(ExtremeRays, SatisfyEveryInequalityAndApproachTheHeads) {
    const SoftmaxHeads heads = Planted(setting(TokenLaw::gaussian, 4, 2, 2, 3.0), 1, 2).heads();
    const Matrix v = agreeing_signs(heads, 40000);

    const Matrix rays = extreme_rays(v, 24);

    ASSERT_GE(rays.cols(), 12);
    // Columns cut until none is violated by more than 1e-6.
    EXPECT_GT((v.transpose() * rays).minCoeff(), -1e-6 - 1e-9);
    for (const SoftmaxHead& head : heads) {
        double nearest = 0.0;
        for (Index i = 0; i < rays.cols(); ++i) {
            nearest = std::max(nearest, cosine(rays.col(i), head));
        }
        EXPECT_GT(nearest, 0.99);
    }
}

TEST(ExtremeRays, AreNoneWhereTheInequalitiesLeaveOnlyZero) {
    Matrix v(2, 3);
    v << 1.0, -0.5, -0.5, 0.0, 0.9, -0.9;

    EXPECT_EQ(extreme_rays(v, 5).cols(), 0);
}

TEST(SaturatedRows, OfTheTrueSumHoldForEveryHead) {
    const Planted planted(setting(TokenLaw::gaussian, 5, 3, 2, 12.0), 4000, 7);

    const SaturatedRows rows =
        saturated_rows(planted.source(), sum_of_values(planted.heads()), SaturatedOptions());

    ASSERT_GT(rows.count, 1000);
    EXPECT_EQ(rows.v.cols(), rows.count);
    for (const SoftmaxHead& head : planted.heads()) {
        EXPECT_GT((rows.v.transpose() * flatten<double>(head.Theta)).minCoeff(), 0.0);
    }
}

TEST(SaturatedRows, KeepsTheFirstAndCountsAll) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 2, 2, 12.0), 2000, 7);
    const Matrix W = sum_of_values(planted.heads());

    const SaturatedRows all = saturated_rows(planted.source(), W, SaturatedOptions());
    const SaturatedRows few = saturated_rows(planted.source(), W, {0.02, 100});

    EXPECT_EQ(few.count, all.count);
    EXPECT_EQ(few.v, Matrix(all.v.leftCols(100)));
}

TEST(RefineBySaturation, TakesMostOfAnErrorOfTwoPerCent) {
    const Planted planted(setting(TokenLaw::gaussian, 6, 2, 3, 12.0), 20000, 7);
    const Matrix W = sum_of_values(planted.heads());
    const Matrix noise = normal_matrix(6, 6, Stream(9));
    const Matrix start = W + noise * (0.02 * W.norm() / noise.norm());

    const Matrix refined = refine_by_saturation(planted.source(), start, SaturatedOptions());

    EXPECT_GT(sum_error(start, planted.heads()), 0.019);
    // Rows within 2 % of one value are off by that much each, in directions of their own.
    EXPECT_LT(sum_error(refined, planted.heads()), 0.25 * sum_error(start, planted.heads()));
}

TEST(SignCone, RefusesOtherShapes) {
    SculptedRows rows;
    rows.d = 2;
    EXPECT_REFUSED("sign_cone: got m = 2 and 3 coordinates",
                   sign_cone(Matrix::Identity(3, 3), rows, {2}));
}

/// Three heads of norm 12 agree on so few rows short of saturation that equations alone do not lead
/// to them.
TEST(LearnSoftmax, FindsThreeSaturatedHeadsByTheirSigns) {
    const Planted planted(setting(TokenLaw::gaussian, 6, 2, 3, 12.0), 150000, 11);

    const SoftmaxResult result = planted.learn();

    ASSERT_TRUE(result.cone.has_value());
    EXPECT_EQ(result.outcome, SoftmaxOutcome::recovered);
    EXPECT_LT(*result.net_validation, kNetSuccess);
    EXPECT_LT(recovery_error(result.heads(), planted.heads()).worst(), kPolishedHeads);
}

TEST(LearnSoftmax, CountsSaturatedHeadsByTheirRays) {
    const Planted planted(setting(TokenLaw::gaussian, 6, 2, 3, 12.0), 150000, 11);

    const SoftmaxResult result =
        learn_softmax(planted.source(), planted.held_out(), SoftmaxLearnOptions());

    EXPECT_EQ(result.m, 3);
    EXPECT_EQ(result.outcome, SoftmaxOutcome::recovered);
    EXPECT_LT(recovery_error(result.heads(), planted.heads()).worst(), kPolishedHeads);
}

}  // namespace
}  // namespace attest::test
