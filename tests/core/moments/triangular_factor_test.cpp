#include "core/moments/triangular_factor.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/features/cubic.hpp"
#include "core/moments/moment_sums.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

Dataset planted(Index d, Index o, Index N, Index n) {
    const Stream stream = Stream(11).child(d).child(N);
    return test::planted_dataset(
        test::normal_parameters(d, o, 2, stream.child("theta")), N, n, stream.child("data"));
}

TEST(TriangularFactor, GramOfTheFactorIsTheSecondMoment) {
    for (const Index d : {1, 2, 3, 5}) {
        // Several chunks: 2·(psi + o) rows each.
        const Dataset data = planted(d, 2, 5 * feature_dim(d) + 1300, 4);
        const DatasetSource source(data);

        const TriangularFactor factor = triangular_factor(source);
        const Moments moments = explicit_moments(source);

        EXPECT_LT(difference_ratio(moments.Lambda, factor.R.transpose() * factor.R), kRatioBound);
        EXPECT_LT(difference_ratio(moments.cross, factor.R.transpose() * factor.C), kRatioBound);
        EXPECT_LT(std::abs(factor.label_power - moments.label_power),
                  gamma_bound(data.num_examples() + 2) * moments.label_power);
    }
}

TEST(TriangularFactor, IsExactOnOneExampleByHand) {
    Dataset data;
    data.tokens = Matrix::Constant(1, 1, 2.0);
    data.offsets = {0, 1};
    data.labels = LabelKind::per_sequence;
    data.y = Matrix::Constant(1, 1, 24.0);
    const DatasetSource source(data);

    const TriangularFactor factor = triangular_factor(source);

    // H = 2²·2 = 8 and y = 24, so R and C are ±8 and ±24 with one sign.
    EXPECT_EQ(std::abs(factor.R(0, 0)), 8.0);
    EXPECT_EQ(factor.C(0, 0) / factor.R(0, 0), 3.0);
    EXPECT_EQ(factor.residual, 0.0);
}

TEST(TriangularFactor, ResidualIsTheNoiseOutsideTheColumnSpace) {
    Dataset data = planted(2, 1, 40, 3);
    const Vector noise = test::normal_matrix(40, 1, Stream(12));
    data.y.row(0) += noise.transpose();
    const DatasetSource source(data);
    const Matrix H = feature_columns(collect(source)).transpose();
    const Svd s = svd(H);
    const double expected = (noise - s.U * (s.U.transpose() * noise)).squaredNorm() / 40.0;

    const TriangularFactor factor = triangular_factor(source);

    // Both sides lose about N·eps of the label power to rounding.
    EXPECT_LT(std::abs(factor.residual - expected), gamma_bound(1200) * factor.label_power);
}

TEST(TriangularFactor, KeepsEveryRowWhenThereAreFewerExamplesThanFeatures) {
    const Dataset data = planted(3, 2, 7, 3);
    const DatasetSource source(data);

    const TriangularFactor factor = triangular_factor(source);

    EXPECT_EQ(factor.R.rows(), 7);
    EXPECT_EQ(factor.C.rows(), 7);
    EXPECT_LT(difference_ratio(explicit_moments(source).Lambda, factor.R.transpose() * factor.R),
              kRatioBound);
}

TEST(TriangularFactor, NeedsAnExample) {
    Dataset empty;
    empty.tokens = Matrix(2, 0);
    empty.offsets = {0};
    EXPECT_THROW((void)triangular_factor(DatasetSource(empty)), InvalidInput);
}

TEST(ExplicitMoments, AgreeExactlyWithRationalArithmeticOnTheGrid) {
    const Dataset data = planted(2, 1, 16, 2);
    const DatasetSource source(data);
    const Matrix H = feature_columns(collect(source));

    const Moments moments = explicit_moments(source);

    const Matrix expected = H * H.transpose() / 16.0;
    EXPECT_LT(difference_ratio(expected, moments.Lambda), kRatioBound);
    EXPECT_EQ(moments.Lambda, Matrix(moments.Lambda.transpose()));
}

}  // namespace
}  // namespace attest
