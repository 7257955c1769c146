#include "bench/experiments/sketch/sketches.hpp"

#include "core/base/bitwise.hpp"
#include "core/features/cubic.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/rng/sample.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

constexpr Index kDimension = 3;

Moments random_moments() {
    Dataset data;
    data.tokens = grid_matrix(grid_normal(), kDimension, 400, Stream(1).child("tokens"));
    data.y = grid_matrix(grid_normal(), 2, 100, Stream(1).child("y"));
    data.labels = LabelKind::per_sequence;
    for (Index i = 0; i <= 100; ++i) {
        data.offsets.push_back(4 * i);
    }
    return explicit_moments(DatasetSource(data));
}

TEST(Sketches, AllFeaturesGiveLeastSquaresAndFewerAtMostAsLittleRisk) {
    const Moments moments = random_moments();
    const Index psi = feature_dim(kDimension);
    const double least = relative_risk(scaled_ridge(moments, 0.0), moments);
    for (const SketchKind kind :
         {SketchKind::eigenvectors, SketchKind::pursuit, SketchKind::mean_square}) {
        double before = 1.0;
        for (const Index m : {Index{2}, Index{6}, psi}) {
            const Moments small =
                sketched(moments, sketch(kind, moments, kDimension, m, Stream(0)));
            const double risk = relative_risk(scaled_ridge(small, 0.0), small);
            // Nested spans; rounding of the risk as relative_risk says, ψ·ε·cond.
            EXPECT_LE(risk, before + 0x1p-30) << to_string(kind) << m;
            EXPECT_GE(risk, least - 0x1p-30) << to_string(kind) << m;
            before = risk;
        }
        EXPECT_NEAR(before, least, 0x1p-30) << to_string(kind);
    }
}

// One feature equal to its label: the risk of p is (1 − p)², and rounding alone may take it below
// 0.
TEST(RelativeRisk, IsNoLessThanZeroAndNotANumberForCoefficientsThatAreNone) {
    const Matrix one = Matrix::Ones(1, 1);
    const Moments exact{one, one, 1.0, 1};
    EXPECT_EQ(relative_risk(0.5 * one, exact), 0.25);
    EXPECT_EQ(relative_risk(one, {(1.0 - 0x1p-53) * one, one, 1.0, 1}), 0.0);
    EXPECT_EQ(relative_risk(one, {0.5 * one, one, 1.0, 1}), -0.5) << "these are no moments";
    EXPECT_TRUE(std::isnan(relative_risk(std::nan("") * one, exact)));
}

TEST(SketchDerived, DrawsNothingWhereNoPanelHasASeries) {
    EXPECT_TRUE(sketch_derived("sketching", {}, {Panel{}}, "nothing").figures.empty());
    Panel panel;
    panel.series.push_back({"pursuit"});
    const Derived derived = sketch_derived("sketching", {}, {Panel{}, panel}, "one");
    ASSERT_EQ(derived.figures.size(), 1U);
    EXPECT_EQ(derived.figures[0].figure.panels.size(), 1U);
}

TEST(Sketches, TensorSketchPutsAUnitVectorIntoOneBucket) {
    // Of one token z the sketch of z ⊗ z ⊗ z: a unit vector has one signed unit.
    const Index m = 5;
    const Matrix B = sketch(SketchKind::tensor_sketch, random_moments(), kDimension, m, Stream(9));
    const auto of = [&](const Vector& z) {
        return Vector(B.transpose() * cubic_features<double>(Matrix(z)));
    };
    const Matrix E = Matrix::Identity(kDimension, kDimension);
    for (Index j = 0; j < kDimension; ++j) {
        EXPECT_EQ(of(E.col(j)).cwiseAbs().sum(), 1.0);
        EXPECT_EQ(of(2.0 * E.col(j)), 8.0 * of(E.col(j)));
    }
}

TEST(Sketches, TensorSketchInOneBucketIsAProductOfThreeSignedSums) {
    // (±1 ± 1)³ is −8, 0 or 8; without signs it were 8 for every stream, with them it is 0 in seven
    // of eight: not once in 20 with a chance of 8⁻²⁰.
    Index zeros = 0;
    for (Index trial = 0; trial < 20; ++trial) {
        const Matrix B = sketch(
            SketchKind::tensor_sketch, random_moments(), kDimension, 1, Stream(2).child(trial));
        const double value =
            (B.transpose() * cubic_features<double>(Matrix{{1.0}, {1.0}, {0.0}}))(0);
        EXPECT_TRUE(is_zero(value) || is_zero(std::abs(value) - 8.0)) << value;
        zeros += is_zero(value) ? 1 : 0;
    }
    EXPECT_GT(zeros, 0);
}

TEST(Sketches, TokensAreThoseOfProjectedTokens) {
    // k = 2 directions are the most with k²(k + 1)/2 ≤ 7: B of d = 3 has six columns, and Bᵀ H(Z)
    // are the features of GᵀZ, in which the cube of a token's projection is one entry.
    const Matrix B = sketch(SketchKind::tokens, random_moments(), kDimension, 7, Stream(4));
    ASSERT_EQ(B.cols(), feature_dim(2));
    const Matrix G = grid_matrix(grid_normal(), kDimension, 2, Stream(4));
    const Matrix Z = grid_matrix(grid_normal(), kDimension, 5, Stream(5));
    const Vector of_projected = cubic_features<double>(Matrix(G.transpose() * Z));
    const Vector sketched_features = B.transpose() * cubic_features<double>(Z);
    EXPECT_LE((sketched_features - of_projected).norm(), 0x1p-40 * of_projected.norm());
}

TEST(Sketches, RandomOnesAreAFunctionOfTheStream) {
    const Moments moments = random_moments();
    for (const SketchKind kind : {SketchKind::count_sketch,
                                  SketchKind::tensor_sketch,
                                  SketchKind::projection,
                                  SketchKind::tokens}) {
        ASSERT_TRUE(is_random(kind));
        const Matrix once = sketch(kind, moments, kDimension, 4, Stream(1));
        EXPECT_EQ(sketch(kind, moments, kDimension, 4, Stream(1)), once);
        EXPECT_NE(sketch(kind, moments, kDimension, 4, Stream(2)), once);
    }
}

}  // namespace
}  // namespace attest
