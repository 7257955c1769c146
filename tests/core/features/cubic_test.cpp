#include "core/features/cubic.hpp"

#include "tests/reference/features.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {
namespace {

double cube(double x) {
    return x * x * x;
}

TEST(CubicFeatures, AreTheOrderOfAlgorithm2AtTheIdentity) {
    // (12,1) (12,2) (11,1) (11,2) (22,1) (22,2): S = I and z = (0,1).
    EXPECT_EQ(cubic_features<double>(Matrix::Identity(2, 2)), Vector({{0, 0, 0, 1, 0, 1}}));
}

TEST(CubicFeatures, CountInnerProductsOfRowsTimesTheQuery) {
    const Matrix Z{{1, 2}, {3, 5}};

    // ⟨z_1:, z_2:⟩ = 13, ‖z_1:‖² = 5, ‖z_2:‖² = 34, z = (2, 5).
    EXPECT_EQ(cubic_features<double>(Z), Vector({{26, 65, 10, 25, 68, 170}}));
}

RC_GTEST_PROP(CubicFeatures, EqualAlgorithm2OverTheRationals, ()) {
    const auto Z = draw_tokens<Rational>(draw_index(1, 3));

    RC_ASSERT(to_row(cubic_features<Rational>(Z)) ==
              reference::reference_cubic_features(to_rows(Z)));
}

RC_GTEST_PROP(CubicFeatures, AreExactInDoubleOnSmallIntegers, ()) {
    const Matrix Z = draw_tokens(draw_index(1, 3));
    const MatrixOf<Rational> exact = Z.cast<Rational>();

    RC_ASSERT(cubic_features<double>(Z).cast<Rational>() == cubic_features<Rational>(exact));
}

RC_GTEST_PROP(CubicFeatures, DependOnlyOnTheSetOfEarlierTokensAndNotOnTheirSigns, ()) {
    const Matrix Z = draw_tokens(draw_index(1, 3));
    Matrix moved = Z;
    for (Index t = 0; t + 1 < Z.cols(); ++t) {
        moved.col(t).swap(moved.col(draw_index(t, Z.cols() - 2)));
        moved.col(t) *= *rc::gen::element(-1.0, 1.0);
    }

    RC_ASSERT(cubic_features<double>(moved) == cubic_features<double>(Z));
}

TEST(CubicFeatures, ChangeWhenAnEarlierTokenBecomesTheQuery) {
    const Matrix Z{{1, 2}, {3, 5}};
    const Matrix swapped{{2, 1}, {5, 3}};

    EXPECT_NE(cubic_features<double>(swapped), cubic_features<double>(Z));
}

RC_GTEST_PROP(CubicFeatures, ScaleWithTheCubeOfTheTokens, ()) {
    const Matrix Z = draw_tokens(draw_index(1, 3));
    const double c = *rc::gen::element(-3.0, -1.0, 0.0, 0.5, 2.0);

    RC_ASSERT(cubic_features<double>(c * Z) == cube(c) * cubic_features<double>(Z));
}

RC_GTEST_PROP(CubicFeatures, FollowSignFlipsOfTheRows, ()) {
    const Index d = draw_index(1, 3);
    const Matrix Z = draw_tokens(d);
    Vector signs(d);
    for (Index j = 0; j < d; ++j) {
        signs(j) = *rc::gen::element(-1.0, 1.0);
    }
    const Vector H = cubic_features<double>(Z);
    const Vector flipped = cubic_features<double>(signs.asDiagonal() * Z);

    for (Index pair = 0; pair < packed_dim(d); ++pair) {
        const auto [j, k] = packed_pair(d, pair);
        for (Index l = 0; l < d; ++l) {
            RC_ASSERT(flipped(pair * d + l) == signs(j) * signs(k) * signs(l) * H(pair * d + l));
        }
    }
}

RC_GTEST_PROP(CubicFeatures, HaveSquaredNormAtMostTheSixthPowerOfTheTokensNorm, ()) {
    const Matrix Z = draw_tokens(draw_index(1, 3));
    const double bound = cube(Z.squaredNorm());
    const Index nonzero = (Z.array() != 0.0).count();
    const Index in_query = (Z.rightCols(1).array() != 0.0).count();

    const double square = cubic_features<double>(Z).squaredNorm();

    RC_ASSERT(square <= bound);
    // Equality exactly for one nonzero entry, in the last column (or none at all).
    RC_ASSERT((square >= bound) == (nonzero == 0 || (nonzero == 1 && in_query == 1)));
}

TEST(CubicFeatures, AttainTheNormBoundAtOneEntryInTheLastColumn) {
    const Matrix Z{{0, 0}, {0, 3}};

    EXPECT_EQ(cubic_features<double>(Z).squaredNorm(), cube(Z.squaredNorm()));
}

RC_GTEST_PROP(FeatureColumns, HoldTheFeaturesOfEachExampleOfABatch, ()) {
    Dataset data = draw_dataset(draw_index(1, 3), draw_index(1, 4));
    data.labels = *rc::gen::element(LabelKind::none, LabelKind::per_prefix);
    data.y = Matrix::Zero(data.labels == LabelKind::none ? 0 : 1, data.tokens.cols());

    const Matrix H = feature_columns(sequence_moments<double>(data, 0, data.num_sequences()));

    Index example = 0;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        const bool prefixes = data.labels == LabelKind::per_prefix;
        for (Index t = prefixes ? 1 : data.length(i); t <= data.length(i); ++t, ++example) {
            const Matrix Z = data.tokens.middleCols(data.first_token(i), t);
            RC_ASSERT(H.col(example) == cubic_features<double>(Z));
        }
    }
    RC_ASSERT(example == H.cols());
}

TEST(CubicFeatures, RefuseAMatrixWithoutColumns) {
    EXPECT_REFUSED("cubic_features: Z is 4x0", cubic_features<double>(Matrix(4, 0)));
    EXPECT_REFUSED("features_of_moments: s does not have d(d+1)/2 entries",
                   features_of_moments<double>(Vector::Zero(2), Vector::Zero(2)));
}

}  // namespace
}  // namespace attest::test
