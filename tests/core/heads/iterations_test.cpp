#include "core/heads/iterations.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/fit_target.hpp"
#include "core/heads/isometric.hpp"
#include "core/heads/lower_bound.hpp"
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

TEST(RandomGauge, ComputesTheSameFunction) {
    for (const Index d : {1, 2, 4}) {
        const Matrix P = test::generic_coefficients(d, 2, Stream(1).child(d));

        const Matrix W = random_gauge(P, d, Stream(2));

        EXPECT_LT(difference_ratio(P, coefficients_of_tensor<double>(W, d)), kRatioBound);
        // The antisymmetric part is orthogonal and as long: ‖W‖² = 2‖Sym W‖², and none at d = 1.
        const double expected = d == 1 ? 1.0 : 2.0;
        const double ratio = W.squaredNorm() / symmetric_gauge<double>(P, d).squaredNorm();
        EXPECT_LT(std::abs(ratio / expected - 1.0), kRatioBound * gamma_bound(W.size()));
    }
}

TEST(AlternatingProjections, ComeCloserToAFit) {
    const Index d = 4;
    const Parameters theta = test::normal_parameters(d, d, 3, Stream(3));
    const FitTarget target = frobenius_target(coefficients(theta), d);
    const Matrix W = random_gauge(target.P, d, Stream(4));

    const double at_start = fit_values(target, alternating_projections(W, target.P, d, 3, 0)).error;
    const double later = fit_values(target, alternating_projections(W, target.P, d, 3, 50)).error;

    EXPECT_LT(later, 0.5 * at_start);
}

TEST(AveragedReflections, ComeNearAPlantOneHeadBelowTheCountingBoundAtDSix) {
    const Index d = 6;
    const Parameters theta = test::normal_parameters(d, d, 12, Stream(12));
    const FitTarget target = frobenius_target(coefficients(theta), d);
    const Matrix W = random_gauge(target.P, d, Stream(13));

    const Matrix Q = averaged_reflections(W, target.P, d, 12, 1000);

    EXPECT_LT(fit_values(target, Q).error, 0.1 * target.scale);
}

TEST(AveragedReflections, StayAtASolution) {
    const Index d = 3;
    const Parameters theta = test::normal_parameters(d, d, 2, Stream(14));
    const FitTarget target = frobenius_target(coefficients(theta), d);

    const Matrix Q = averaged_reflections(head_tensor(theta), target.P, d, 2, 10);

    EXPECT_LE(fit_values(target, Q).error, test::representation_bound(d, d) * target.scale);
}

TEST(Alternating, RefuseWrongShapes) {
    const Matrix P = Matrix::Ones(feature_dim(2), 2);
    EXPECT_REFUSED("averaged_reflections: the number of heads is out of range",
                   averaged_reflections(Matrix::Zero(4, 4), P, 2, 0, 1));
    EXPECT_REFUSED("alternating_projections: the number of heads is out of range",
                   alternating_projections(Matrix::Zero(4, 4), P, 2, 5, 1));
    EXPECT_REFUSED("alternating_projections: W does not have the shape of P's tensors",
                   alternating_projections(Matrix::Zero(2, 4), P, 2, 1, 1));
}

/// C_a(V) column by column from the definition: the coefficients of one unit entry of Q at a time,
/// ψ×(H·d²) for each output; unknown Q[h, s] at column s·H + h.
std::vector<Matrix> explicit_jacobians(const Parameters& theta) {
    const Index d = theta.d;
    const Index H = theta.num_heads();
    std::vector<Matrix> C(static_cast<std::size_t>(theta.o), Matrix(feature_dim(d), H * d * d));
    for (Index h = 0; h < H; ++h) {
        for (Index s = 0; s < d * d; ++s) {
            Matrix Q = Matrix::Zero(d, d);
            Q(s / d, s % d) = 1.0;
            const Parameters unit{d, theta.o, {{theta.heads[static_cast<std::size_t>(h)].V, Q}}};
            const Matrix p = isometric(coefficients(unit), d);
            for (Index a = 0; a < theta.o; ++a) {
                C[static_cast<std::size_t>(a)].col(s * H + h) = p.col(a);
            }
        }
    }
    return C;
}

TEST(GaussNewtonMatrix, EqualsTheSumOverOutputs) {
    for (const Index d : {1, 2, 3, 4}) {
        for (const Index o : {Index{1}, d, d + 1}) {
            const Parameters theta = test::normal_parameters(d, o, 3, Stream(1).child(d).child(o));
            const Matrix G = test::normal_matrix(feature_dim(d), feature_dim(d), Stream(2));
            const Matrix K = G.transpose() * G;
            Matrix expected = Matrix::Zero(3 * d * d, 3 * d * d);
            for (const Matrix& C : explicit_jacobians(theta)) {
                expected += C.transpose() * K * C;
            }

            const Matrix A = gauss_newton_matrix(head_factors(theta).V, K, d);

            const Matrix lower = expected.triangularView<Eigen::Lower>();
            EXPECT_LT(difference_ratio(lower, A.triangularView<Eigen::Lower>()), kRatioBound);
        }
    }
}

TEST(GaussNewtonMatrix, OfTheWrongValuesIsNoticed) {
    const Parameters theta = test::normal_parameters(3, 2, 2, Stream(3));
    const Matrix K = Matrix::Identity(feature_dim(3), feature_dim(3));
    Matrix swapped = head_factors(theta).V;
    swapped.col(0).swap(swapped.col(1));

    const Matrix A = gauss_newton_matrix(head_factors(theta).V, K, 3);
    const Matrix B = gauss_newton_matrix(swapped, K, 3);

    EXPECT_GT(difference_ratio(Matrix(A.triangularView<Eigen::Lower>()),
                               Matrix(B.triangularView<Eigen::Lower>())),
              kRatioBound);
}

TEST(HeadGradient, EqualsTheSumOverOutputs) {
    for (const Index d : {1, 2, 3, 4}) {
        for (const Index o : {Index{1}, d, d + 1}) {
            const Parameters theta = test::normal_parameters(d, o, 3, Stream(4).child(d).child(o));
            const Matrix r = test::normal_matrix(feature_dim(d), o, Stream(5));
            Vector expected = Vector::Zero(3 * d * d);
            const std::vector<Matrix> C = explicit_jacobians(theta);
            for (Index a = 0; a < o; ++a) {
                expected += C[static_cast<std::size_t>(a)].transpose() * r.col(a);
            }

            const Matrix gradient = head_gradient(head_factors(theta).V, r, d);

            EXPECT_LT(difference_ratio(expected, gradient.reshaped()), kRatioBound);
        }
    }
}

TEST(GaussNewtonMatrix, RefusesAWrongShape) {
    EXPECT_REFUSED("gauss_newton_matrix: V and K do not match d",
                   gauss_newton_matrix(Matrix::Zero(4, 1), Matrix::Zero(5, 5), 2));
}

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
    EXPECT_LT(std::abs(elsewhere / at_start - 1.0), 30.0 * gamma_bound(108));
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

    EXPECT_REFUSED("variable_projection: Q is 1x3",
                   variable_projection(target, Matrix::Ones(1, 3), FitControl{}));
}

TEST(FitEnd, HasNames) {
    EXPECT_EQ(to_string(FitEnd::stalled), "stalled");
    EXPECT_EQ(to_string(FitEnd::target), "target");
}

}  // namespace

}  // namespace attest
