#include "bench/experiments/text/sketches.hpp"

#include "bench/experiments/text/learning_problem.hpp"
#include "core/features/cubic.hpp"
#include "core/rng/sample.hpp"

#include <gtest/gtest.h>

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

TEST(Sketches, TensorSketchIsTheConvolutionOfTheFactorsSketches) {
    // On one sequence of one token z the sketch of z ⊗ z ⊗ z: read from unit vectors, it is
    // multiplicative, so sk(e_j + e_k) has the cross terms that the packed pairs stand for.
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
    // Eight signed units for (e_1 + e_2)^⊗3.
    EXPECT_LE(of(E.col(0) + E.col(1)).cwiseAbs().sum(), 8.0);
    EXPECT_EQ(static_cast<int>(of(E.col(0) + E.col(1)).cwiseAbs().sum()) % 2, 0);
}

TEST(Sketches, RandomOnesAreAFunctionOfTheStream) {
    const Moments moments = random_moments();
    for (const SketchKind kind :
         {SketchKind::count_sketch, SketchKind::tensor_sketch, SketchKind::projection}) {
        ASSERT_TRUE(is_random(kind));
        const Matrix once = sketch(kind, moments, kDimension, 4, Stream(1));
        EXPECT_EQ(sketch(kind, moments, kDimension, 4, Stream(1)), once);
        EXPECT_NE(sketch(kind, moments, kDimension, 4, Stream(2)), once);
    }
}

}  // namespace
}  // namespace attest
