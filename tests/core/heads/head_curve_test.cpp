#include "core/heads/head_curve.hpp"

#include "core/features/coefficients.hpp"
#include "core/heads/lower_bound.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

/// Planted heads plus noise of relative size `level` in isometric coordinates.
FitTarget noisy_target(Index d, Index H, double level, const Stream& stream) {
    const Matrix P = coefficients(test::normal_parameters(d, d, H, stream.child("heads")));
    const Matrix noise = test::generic_coefficients(d, d, stream.child("noise"));
    const double size = frobenius_target(P, d).scale / frobenius_target(noise, d).scale;
    return frobenius_target(P + level * size * noise, d);
}

HeadFitOptions few_starts() {
    HeadFitOptions options;
    options.starts = 2;
    return options;
}

TEST(HeadCurve, NeverRises) {
    const FitTarget target = frobenius_target(test::generic_coefficients(3, 3, Stream(1)), 3);

    const HeadCurve curve = head_curve(target, 4, few_starts(), {});

    ASSERT_EQ(curve.size(), 5U);
    EXPECT_EQ(curve.front().loss, 1.0);
    for (std::size_t i = 1; i < curve.size(); ++i) {
        EXPECT_LE(curve[i].loss, curve[i - 1].loss * (1.0 + test::representation_bound(3, 3)));
        EXPECT_EQ(curve[i].num_heads, static_cast<Index>(i));
        EXPECT_EQ(curve[i].parameters, head_dimension(3, 3, static_cast<Index>(i)));
    }
}

TEST(HeadCurve, HasItsElbowAtThePlantedHeads) {
    for (const Index H : {1, 2, 3}) {
        const FitTarget target = noisy_target(4, H, 1e-3, Stream(2).child(H));

        const HeadCurve curve = head_curve(target, 5, few_starts(), {});

        EXPECT_EQ(elbow(curve), H);
    }
}

TEST(HeadCurve, NoiseShrinksToTheShareOfTheParameters) {
    // The fit keeps dof/D of the noise's square: what is left over, σ²(H)(D − dof), is that of D −
    // dof normals.
    const Index d = 4;
    const Index H = 2;
    const double level = 1e-3;
    const FitTarget target = noisy_target(d, H, level, Stream(3));
    const double variance =
        level * level * target.scale * target.scale / static_cast<double>(target.goal.size());

    const HeadCurve curve = head_curve(target, H, few_starts(), {});

    // χ² with 100 degrees of freedom: five standard deviations, α < 1e-6.
    const auto free = static_cast<double>(curve.back().entries - curve.back().parameters);
    EXPECT_LT(std::abs(curve.back().variance / variance - 1.0), 5.0 * std::sqrt(2.0 / free));
}

TEST(HeadCurve, OfPureNoiseHasNoElbow) {
    const FitTarget target = frobenius_target(test::generic_coefficients(4, 4, Stream(4)), 4);

    EXPECT_EQ(elbow(head_curve(target, 5, few_starts(), {})), std::nullopt);
}

HeadCurvePoint point(Index num_heads, Index parameters, double variance) {
    HeadCurvePoint result;
    result.num_heads = num_heads;
    result.parameters = parameters;
    result.entries = 100;
    result.variance = variance;
    return result;
}

TEST(Elbow, IsTheLastSharpFallThatLeavesATenthFree) {
    const HeadCurve curve{point(0, 0, 1e6),
                          point(1, 30, 1e4),
                          point(2, 50, 1.0),
                          point(3, 70, 0.9),
                          point(4, 95, 1e-3)};

    EXPECT_EQ(elbow(curve), 2);
    EXPECT_EQ(elbow({curve[2], curve[3]}), std::nullopt);
    EXPECT_EQ(elbow({}), std::nullopt);
}

TEST(HeadCurve, EndsAtAnExactFitAndTellsItsProgress) {
    const Matrix P = coefficients(test::normal_parameters(3, 3, 2, Stream(5)));
    Index told = 0;

    const HeadCurve curve =
        head_curve(frobenius_target(P, 3), 4, few_starts(), [&](const HeadCurvePoint&) { ++told; });

    EXPECT_EQ(curve.size(), 3U);
    EXPECT_EQ(told, 3);
    EXPECT_EQ(elbow(curve), 2);
}

TEST(HeadCurve, StopsWhenAsked) {
    HeadFitOptions options = few_starts();
    options.control.interrupt = [] { return true; };

    const HeadCurve curve = head_curve(
        frobenius_target(test::generic_coefficients(3, 3, Stream(6)), 3), 4, options, {});

    EXPECT_EQ(curve.size(), 2U);
    EXPECT_EQ(curve.back().fit.end, FitEnd::interrupted);
}

TEST(HeadCurve, RefusesTooManyHeads) {
    EXPECT_REFUSED("head_curve: got 3 heads",
                   head_curve(frobenius_target(Matrix::Ones(feature_dim(2), 1), 2), 3, {}, {}));
}

}  // namespace
}  // namespace attest
