#include "core/softmax/hull.hpp"

#include "core/base/error.hpp"
#include "core/rng/sample.hpp"
#include "core/softmax/recovery.hpp"
#include "tests/core/softmax/planted.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest {
namespace {

using test::normal_matrix;

/// Rows whose logits all heads share, by construction: differences are projected so that every Θ_i
/// gives the same logit. `outliers` rows at the front get another logit.
SculptedRows agreeing_rows(const SoftmaxHeads& heads, Index count, Index outliers) {
    const Index d = heads.front().W.rows();
    SculptedRows rows{d,
                      1,
                      Vector::Ones(count),
                      normal_matrix(d, count, Stream(1)),
                      Matrix::Zero(d, count),
                      Matrix::Zero(d, count),
                      normal_matrix(d, count, Stream(2)),
                      Vector(count)};
    for (Index t = 0; t < count; ++t) {
        Matrix keys(d, static_cast<Index>(heads.size()) - 1);
        for (Index i = 0; i < keys.cols(); ++i) {
            keys.col(i) =
                (heads[static_cast<std::size_t>(i) + 1].Theta - heads[0].Theta).transpose() *
                rows.tokens.col(t);
        }
        Vector difference = rows.differences.col(t);
        for (Index sweep = 0; sweep < 2; ++sweep) {  // twice is enough (Parlett)
            for (Index i = 0; i < keys.cols(); ++i) {
                Vector key = keys.col(i);
                for (Index l = 0; l < i; ++l) {
                    key -= keys.col(l) * (keys.col(l).dot(key) / keys.col(l).squaredNorm());
                }
                keys.col(i) = key;
                difference -= key * (key.dot(difference) / key.squaredNorm());
            }
        }
        rows.differences.col(t) = difference;
        rows.logits(t) =
            rows.tokens.col(t).dot(heads[0].Theta * difference) + (t < outliers ? 1.0 : 0.0);
    }
    return rows;
}

SoftmaxHeads heads_of(Index d, Index m) {
    return test::Planted(test::setting(TokenLaw::gaussian, d, 2, m, 3.0), 1, m).heads();
}

TEST(SpectralHull, OfExactConstraintsContainsEveryHead) {
    for (Index m = 1; m <= 3; ++m) {
        const SoftmaxHeads heads = heads_of(4, m);

        const ThetaHull hull = spectral_hull(constraints_of(agreeing_rows(heads, 200, 0)), m);

        ASSERT_TRUE(hull.found);
        const HullError error = hull_error(hull, heads);
        // Total least squares on exact data: rounding times the condition of the 17−m non-zero
        // singular values, which the gap bounds from below.
        const double condition = hull.sigma(0) / hull.sigma(hull.sigma.size() - m - 1);
        EXPECT_LT(error.distance, 30.0 * 17.0 * 0x1p-52 * condition) << m;
        EXPECT_LT(error.angle_degrees, 60.0 * 30.0 * 17.0 * 0x1p-52 * condition) << m;
        EXPECT_GT(hull.gap, 1e6);
    }
}

TEST(SpectralHull, BearsAMinorityOfRowsOnWhichTheHeadsDisagree) {
    const SoftmaxHeads heads = heads_of(4, 2);

    const ThetaHull hull = spectral_hull(constraints_of(agreeing_rows(heads, 400, 40)), 2);

    ASSERT_TRUE(hull.found);
    EXPECT_LT(hull_error(hull, heads).distance, 0.05);
    // The negative control: as many outliers as good rows leave nothing to find.
    EXPECT_GT(hull_error(spectral_hull(constraints_of(agreeing_rows(heads, 400, 300)), 2), heads)
                  .distance,
              0.05);
}

TEST(SpectralHull, NeedsAsManyConstraintsAsUnknowns) {
    const SoftmaxHeads heads = heads_of(3, 2);
    EXPECT_FALSE(spectral_hull(constraints_of(agreeing_rows(heads, 10, 0)), 2).found);
    EXPECT_TRUE(spectral_hull(constraints_of(agreeing_rows(heads, 11, 0)), 2).found);
    EXPECT_EQ(test::invalid_input_message(
                  [&] { return spectral_hull(constraints_of(agreeing_rows(heads, 20, 0)), 0); }),
              "spectral_hull: got m = 0, expected 1 to 9");
}

/// What ⟨x̄, Θ_i⟩ = ‖x̄‖² is asked for whatever the points are.
constexpr double kProductBar = 1e-10;

RC_GTEST_PROP(AffineHull, LeastNormPointHasTheSameProductWithEveryHead, (std::uint64_t seed)) {
    const Index m = *rc::gen::inRange<Index>(1, 5);
    const Matrix points = normal_matrix(16, m, Stream(seed));

    const AffineHull hull = affine_hull(points);

    // ⟨x̄, Θ_i⟩ = ‖x̄‖² for all i; the projection is off by the rounding of 16-term products,
    // magnified where the points are nearly dependent: ‖x̄‖ is at least σ_min/√m.
    const double scale = points.norm() * points.norm();
    for (Index i = 0; i < m; ++i) {
        const double error = std::abs(hull.x0.dot(points.col(i)) - hull.x0.squaredNorm());
        RC_ASSERT(error < 1000.0 * 16.0 * 0x1p-52 * scale);
        RC_ASSERT(error < kProductBar);
    }
    RC_ASSERT(hull.directions.cols() == m - 1);
}

TEST(AffineHull, OfTwoPointsOnALineIsTheFootOfThePerpendicular) {
    Matrix points(2, 2);
    points << 1.0, 1.0, 3.0, -5.0;

    const AffineHull hull = affine_hull(points);

    EXPECT_LT((hull.x0 - Eigen::Vector2d(1.0, 0.0)).norm(), 0x1p-48);
    EXPECT_LT(std::abs(std::abs(hull.directions(1, 0)) - 1.0), 0x1p-48);
}

TEST(GapFor, ReadsTheRatioBelowTheNullSpace) {
    ThetaHull hull;
    hull.sigma = Eigen::Vector4d(8.0, 4.0, 1.0, 0.5);
    EXPECT_EQ(gap_for(hull, 1), 2.0);
    EXPECT_EQ(gap_for(hull, 2), 4.0);
    EXPECT_THROW((void)gap_for(hull, 4), InvalidInput);
}

}  // namespace
}  // namespace attest
