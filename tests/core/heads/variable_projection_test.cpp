#include "core/heads/variable_projection.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/gauge.hpp"
#include "core/heads/counting.hpp"
#include "core/heads/tangent_condition.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/rng/orthogonal.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace attest {
namespace {

Matrix random_queries(Index H, Index d, Index start) {
    return test::normal_matrix(H, d * d, Stream(100).child(start));
}

/// The first of up to ten random starts that reaches the target, else the last.
HeadFit fit_from_random_starts(const FitTarget& target, Index H) {
    HeadFit fit;
    for (Index s = 0; s < 10 && fit.end != FitEnd::target; ++s) {
        fit = variable_projection(target, random_queries(H, target.d, s), FitControl{});
    }
    return fit;
}

struct PlantedShape {
    Index d;
    Index o;
    Index H;
};

const std::vector<PlantedShape> kPlanted{
    {2, 2, 1}, {3, 3, 1}, {3, 3, 2}, {4, 4, 3}, {4, 2, 2}, {3, 5, 3}, {5, 5, 5}, {1, 1, 1}};

TEST(VariableProjection, RecoversPlantedHeadsFromRandomStarts) {
    for (const auto& [d, o, H] : kPlanted) {
        const Parameters theta = test::normal_parameters(d, o, H, Stream(1).child(d).child(o));
        const Matrix W = head_tensor(theta);
        const FitTarget target = frobenius_target(coefficients(theta), d);

        const HeadFit fit = fit_from_random_starts(target, H);

        ASSERT_EQ(fit.end, FitEnd::target) << d << ' ' << o << ' ' << H;
        const double bound = test::representation_bound(d, o) * tangent_condition(W, d, H);
        EXPECT_LE((fit.factors.V * fit.factors.Q - W).norm(), bound * W.norm());
        EXPECT_LE(bound, test::kWeightBar);
    }
}

TEST(VariableProjection, DoesNotRecoverFromTooFewHeads) {
    const Parameters theta = test::normal_parameters(3, 3, 2, Stream(2));
    const FitTarget target = frobenius_target(coefficients(theta), 3);

    const HeadFit fit = fit_from_random_starts(target, 1);

    EXPECT_NE(fit.end, FitEnd::target);
    EXPECT_GT(fit.residual, test::kMissed);
}

TEST(VariableProjection, NeverIncreasesTheResidual) {
    for (Index H = 1; H <= 6; ++H) {
        const FitTarget target =
            frobenius_target(test::generic_coefficients(4, 4, Stream(3).child(H)), 4);

        const HeadFit fit = variable_projection(target, random_queries(H, 4, H), FitControl{});

        EXPECT_TRUE(std::is_sorted(fit.history.rbegin(), fit.history.rend()));
        EXPECT_LE(fit.residual, fit.history.front());
        EXPECT_EQ(fit.residual, fit.history.back());
    }
}

TEST(VariableProjection, DependsOnlyOnTheRowSpaceOfTheStart) {
    const FitTarget target = frobenius_target(test::generic_coefficients(3, 3, Stream(4)), 3);
    const Matrix Q = random_queries(2, 3, 0);
    const Matrix g{{2.0, 1.0}, {-1.0, 3.0}};

    const double at_start = fit_values(target, Q).error;
    const double elsewhere = fit_values(target, g * Q).error;

    // The projector onto span{Q_h}, hence the error, is the same up to rounding times cond(g).
    EXPECT_LT(std::abs(elsewhere / at_start - 1.0), 30.0 * gamma_bound(18 * 6));
}

TEST(VariableProjection, CommutesWithRotationsOfTheTokens) {
    const Index d = 3;
    const Parameters theta = test::normal_parameters(d, d, 2, Stream(5));
    const Matrix R = random_orthogonal(d, Stream(6));
    Parameters rotated = theta;
    for (Head& head : rotated.heads) {
        head.V = R * head.V * R.transpose();
        head.Q = R * head.Q * R.transpose();
    }
    const Matrix W = head_tensor(rotated);

    const HeadFit fit = fit_from_random_starts(frobenius_target(coefficients(theta), d), 2);
    Parameters found{d, d, {}};
    for (const Head& head : balanced_heads(fit.factors, d).heads) {
        found.heads.push_back({R * head.V * R.transpose(), R * head.Q * R.transpose()});
    }

    const double bound = 2.0 * test::representation_bound(d, d) * tangent_condition(W, d, 2);
    EXPECT_LE((head_tensor(found) - W).norm(), bound * W.norm());
}

TEST(VariableProjection, FindsTheSameWInTheNormOfTheData) {
    for (const Index d : {2, 3, 4}) {
        const Index H = d - 1;
        const Parameters theta = test::normal_parameters(d, d, H, Stream(7).child(d));
        const Dataset data =
            test::planted_dataset(theta, 3 * feature_dim(d), 2 * d, Stream(8).child(d));
        const TriangularFactor factor = triangular_factor(DatasetSource(data));
        const FitTarget target = weighted_target(coefficients(theta), d, factor.R);
        const Matrix W = head_tensor(theta);

        const HeadFit fit = fit_from_random_starts(target, H);

        ASSERT_EQ(fit.end, FitEnd::target) << d;
        // ‖p − p̂‖ ≤ ‖L(p − p̂)‖/σ_min(L): the condition number of L joins the bound.
        const double bound = test::representation_bound(d, d) * tangent_condition(W, d, H) /
                             triangular_rcond(factor.R);
        EXPECT_LE((fit.factors.V * fit.factors.Q - W).norm(), bound * W.norm());
        EXPECT_LE(bound, test::kWeightBar);
    }
}

TEST(VariableProjection, FitsAGenericTargetAtTheCountingBoundAndNotBelow) {
    for (const Index d : {2, 3}) {
        const FitTarget target =
            frobenius_target(test::generic_coefficients(d, d, Stream(9).child(d)), d);
        const Index bound = counting_bound(d, d);

        EXPECT_EQ(fit_from_random_starts(target, bound).end, FitEnd::target);
        EXPECT_GT(fit_from_random_starts(target, bound - 1).residual, test::kMissed);
    }
}

TEST(VariableProjection, StopsWhenAsked) {
    const FitTarget target = frobenius_target(test::generic_coefficients(4, 4, Stream(10)), 4);
    Index asked = 0;
    FitControl control;
    control.interrupt = [&asked] { return ++asked > 3; };

    const HeadFit fit = variable_projection(target, random_queries(3, 4, 0), control);

    EXPECT_EQ(fit.end, FitEnd::interrupted);
    EXPECT_EQ(fit.iterations, 3);
    EXPECT_LE(fit.residual, fit.history.front());
    EXPECT_EQ(fit.factors.V.cols(), 3);
}

TEST(VariableProjection, FitsTheZeroFunctionAtOnce) {
    const HeadFit fit = variable_projection(
        frobenius_target(Matrix::Zero(feature_dim(2), 2), 2), random_queries(1, 2, 0), {});

    EXPECT_EQ(fit.end, FitEnd::target);
    EXPECT_EQ(fit.residual, 0.0);
}

TEST(TangentRcond, IsPositiveExactlyWhereTheCountAllowsIt) {
    const Index d = 3;
    const Parameters below = test::normal_parameters(d, d, 2, Stream(11));
    const Parameters above = test::normal_parameters(d, d, 5, Stream(12));

    // 2Hd² − H² = 32 < 54 against 65 > 54, where a family of tensors has the same coefficients.
    // A derivative without full rank has one of rounding size, some 1e-16.
    constexpr double kRegular = 1e-6;
    EXPECT_GT(tangent_rcond(frobenius_target(coefficients(below), d), head_factors(below)),
              kRegular);
    EXPECT_LT(tangent_rcond(frobenius_target(coefficients(above), d), head_factors(above)),
              test::representation_bound(d, d));
}

TEST(VariableProjectionCost, GrowsWithTheHeads) {
    const FitTarget target = frobenius_target(test::generic_coefficients(4, 4, Stream(13)), 4);

    EXPECT_GT(variable_projection_cost(target, 4).flops, variable_projection_cost(target, 2).flops);
    EXPECT_GT(variable_projection_cost(target, 4).bytes, variable_projection_cost(target, 2).bytes);
}

TEST(VariableProjection, RefusesAWrongStart) {
    const FitTarget target = frobenius_target(Matrix::Ones(feature_dim(2), 2), 2);

    EXPECT_EQ(test::invalid_input_message(
                  [&] { (void)variable_projection(target, Matrix::Ones(1, 3), FitControl{}); }),
              "variable_projection: Q is 1x3, expected at most 4 rows and as many columns");
}

TEST(FitEnd, HasNames) {
    EXPECT_EQ(to_string(FitEnd::stalled), "stalled");
    EXPECT_EQ(to_string(FitEnd::target), "target");
}

}  // namespace
}  // namespace attest
