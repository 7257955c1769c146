#include "core/features/predict.hpp"

#include "core/features/coefficients.hpp"
#include "core/model/forward.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/sources.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {
namespace {

/// d = 1, three sequences of one token 1, 2, 3 with labels 1, 8, 28: exact for p = 1 but for the
/// last.
Dataset cubes() {
    Dataset data;
    data.tokens = Matrix{{1, 2, 3}};
    data.offsets = {0, 1, 2, 3};
    data.labels = LabelKind::per_sequence;
    data.y = Matrix{{1, 8, 28}};
    return data;
}

RC_GTEST_PROP(Predict, EqualsCoefficientsTimesFeaturesBitForBitOnIntegers, ()) {
    const Index d = draw_index(1, 3);
    const Dataset data = draw_dataset(d, draw_index(1, 5));
    const Matrix P = draw_integers(feature_dim(d), draw_index(1, 3));
    const DatasetSource source(data);

    const Matrix H = feature_columns(collect(source));

    RC_ASSERT(predict(P, source) == P.transpose() * H);
}

RC_GTEST_PROP(Predict, OfTheCoefficientsIsTheModelsOutput, ()) {
    const Index d = draw_index(1, 3);
    const Dataset data = draw_dataset(d, draw_index(1, 5));
    const Parameters theta = draw_parameters(d, draw_index(1, 3), draw_index(0, 3));

    const Matrix Y = predict(coefficients(theta), DatasetSource(data));

    for (Index i = 0; i < data.num_sequences(); ++i) {
        const Matrix Z = data.sequence(i);
        RC_ASSERT(Y.col(i) == attend<double>(theta, Z, Z.col(Z.cols() - 1)));
    }
}

TEST(PredictAndScore, IsBothInOnePassBitForBit) {
    const Dataset data = cubes();
    const CountedSource source(data);
    const Matrix P = Matrix::Constant(1, 1, 0.7);

    const Prediction found = predict_and_score(P, source);

    EXPECT_EQ(source.passes(), 1);
    EXPECT_EQ(found.y, predict(P, source));
    EXPECT_EQ(found.risk->risk, empirical_risk(P, source).risk);
    EXPECT_EQ(found.risk->relative, empirical_risk(P, source).relative);
}

TEST(PredictAndScore, HasARiskOnlyWhereThereAreLabels) {
    Dataset data = cubes();
    const Matrix wide = Matrix::Ones(1, 2);
    EXPECT_REFUSED("predict_and_score: labels and coefficients disagree on o",
                   predict_and_score(wide, DatasetSource(data)));
    data.labels = LabelKind::none;
    data.y = Matrix();

    const Prediction found = predict_and_score(wide, DatasetSource(data));

    EXPECT_FALSE(found.risk);
    EXPECT_EQ(found.y, (Matrix{{1, 8, 27}, {1, 8, 27}}));
}

TEST(EmpiricalRisk, IsTheMeanSquaredErrorByHand) {
    const Dataset data = cubes();

    const Risk risk = empirical_risk(Matrix::Ones(1, 1), DatasetSource(data));

    EXPECT_EQ(risk.risk, 1.0 / 3.0);
    EXPECT_EQ(risk.mse, 1.0 / 3.0);
    EXPECT_EQ(risk.relative, 1.0 / (1.0 + 64.0 + 784.0));
}

TEST(EmpiricalRisk, MseIsTheRiskPerOutput) {
    // Z = 1, P = (1 1), labels 0 and 3: residuals 1 and -2.
    Dataset data = subset(cubes(), 0, 1);
    data.y = Matrix{{0.0}, {3.0}};

    const Risk risk = empirical_risk(Matrix::Ones(1, 2), DatasetSource(data));

    EXPECT_EQ(risk.risk, 5.0);
    EXPECT_EQ(risk.mse, 2.5);
    EXPECT_EQ(risk.relative, 5.0 / 9.0);
}

TEST(Predict, NamesShapesThatDisagree) {
    const Dataset data = cubes();
    const DatasetSource source(data);

    EXPECT_REFUSED("predict: P has 2 rows", predict(Matrix::Zero(2, 1), source));
    EXPECT_REFUSED("empirical_risk: labels and coefficients disagree on o",
                   empirical_risk(Matrix::Zero(1, 2), source));
}

}  // namespace
}  // namespace attest::test
