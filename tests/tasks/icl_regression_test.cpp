#include "tasks/icl_regression.hpp"

#include "core/base/bitwise.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <set>

namespace attest {
namespace {

/// Of a seed whose first three tasks are no equal numbers of the grid.
Sequence icl_sequence(const IclRegressionOptions& options, Index i) {
    return icl_regression(options, Stream(2))->draw(i);
}

/// w, read off a sequence with d = 1, where x is not 0.
double slope(const Sequence& sequence) {
    Index t = 0;
    sequence.Z.row(0).head(sequence.Z.cols() - 1).cwiseAbs().maxCoeff(&t);
    return sequence.Z(1, t) / sequence.Z(0, t);
}

TEST(IclRegression, LabelsAreTheTaskAtTheQueryWhoseOwnYIsZero) {
    IclRegressionOptions options;
    options.d = 1;
    options.n = {3, 3};
    for (Index i = 0; i < 20; ++i) {
        const Sequence sequence = icl_sequence(options, i);
        ASSERT_EQ(sequence.Z.cols(), 4);
        // Products of two grid numbers are exact, and so is the quotient that undoes one.
        for (Index t = 0; t < 3; ++t) {
            EXPECT_TRUE(bitwise_equal(sequence.Z(1, t), slope(sequence) * sequence.Z(0, t)));
        }
        EXPECT_TRUE(is_zero(sequence.Z(1, 3)));
        EXPECT_TRUE(bitwise_equal(sequence.y(0, 0), slope(sequence) * sequence.Z(0, 3)));
    }
}

TEST(IclRegression, FewTasksComeBackAndFreshOnesDoNot) {
    IclRegressionOptions options;
    options.d = 1;
    for (const Index tasks : {0, 1, 3}) {
        options.tasks = tasks;
        std::set<double> slopes;
        for (Index i = 0; i < 60; ++i) {
            slopes.insert(slope(icl_sequence(options, i)));
        }

        // Numbers of the grid are equal now and then.
        const auto different = static_cast<Index>(slopes.size());
        EXPECT_TRUE(tasks == 0 ? different > 50 : different == tasks)
            << tasks << ": " << testing::PrintToString(slopes);
    }
}

TEST(IclRegression, OptionsActOnWhatTheySay) {
    IclRegressionOptions options;
    options.d = 3;
    const Sequence plain = icl_sequence(options, 2);
    options.halvings = 1;
    const Sequence halved = icl_sequence(options, 2);
    EXPECT_EQ(halved.Z.row(0), plain.Z.row(0));
    EXPECT_EQ(halved.Z.row(1), plain.Z.row(1) / 2.0);
    EXPECT_EQ(halved.Z.row(2), plain.Z.row(2));

    options.halvings = 0;
    options.mean = 2.0;
    const Sequence moved = icl_sequence(options, 2);
    EXPECT_EQ(moved.Z.topRows(3), plain.Z.topRows(3));
    const Matrix shift = moved.Z.row(3) - plain.Z.row(3);
    EXPECT_EQ(Matrix(shift.leftCols(16)),
              Matrix(2.0 * plain.Z.topLeftCorner(3, 16).colwise().sum()));

    options.mean = 0.0;
    options.prompt_noise = 1.0;
    const Sequence noisy = icl_sequence(options, 2);
    EXPECT_EQ(noisy.y, plain.y);
    EXPECT_NE(noisy.Z(3, 0), plain.Z(3, 0));
    EXPECT_TRUE(is_zero(noisy.Z(3, 16)));

    options.n = {20, 20};
    EXPECT_EQ(Matrix(icl_sequence(options, 2).Z.leftCols(16)), Matrix(noisy.Z.leftCols(16)));
}

// Γ = (1 + 1/n) I + (d + s²)/n I: steps 1/(n + 1 + d + s²), risk d − d n/(n + 1 + d + s²).
TEST(IclRegression, TruthIsTheStepOfLeastRiskByHand) {
    IclRegressionOptions options;
    const GroundTruth truth = icl_regression(options, Stream(1))->truth();
    const Head& head = truth.heads->heads.front();
    Matrix steps = Matrix::Zero(5, 5);
    steps.topLeftCorner(4, 4).diagonal().setConstant(1.0 / 21.0);

    EXPECT_EQ(head.Q, steps);
    EXPECT_EQ(head.V, (Matrix{{0.0, 0.0, 0.0, 0.0, 1.0}}));
    EXPECT_DOUBLE_EQ(least_icl_risk(options), 20.0 / 21.0);
    options.d = 1;
    options.n = {1, 1};
    options.prompt_noise = 1.0;
    EXPECT_DOUBLE_EQ(least_icl_risk(options), 0.75);
    // Σ = diag(1, 1/4), n = 1: Γ = diag(2 + 5/4, 1/2 + 5/4).
    options = {.d = 2, .n = {1, 1}, .halvings = 1};
    EXPECT_DOUBLE_EQ(least_icl_risk(options), 1.25 - 1.0 / 3.25 - 0.0625 / 1.75);
}

TEST(IclRegression, HasNoTruthWithoutAClosedForm) {
    const std::vector<IclRegressionOptions> without{{.n = {2, 3}}, {.tasks = 2}, {.mean = 1.0}};
    for (const IclRegressionOptions& options : without) {
        EXPECT_FALSE(icl_regression(options, Stream(1))->truth().heads.has_value());
    }
    EXPECT_REFUSED("least_icl_risk: got tasks = 2, mean = 0, n = 16", least_icl_risk({.tasks = 2}));
}

TEST(IclRegression, RefusesOptionsOutOfRange) {
    EXPECT_REFUSED("task icl-regression: got d = 0, tasks = 0, halvings = 0",
                   icl_sequence({.d = 0}, 0));
    EXPECT_REFUSED("task icl-regression: got prompt_noise -1",
                   icl_sequence({.prompt_noise = -1.0}, 0));
    EXPECT_REFUSED("task icl-regression: got sequence -1", icl_sequence({}, -1));
}

}  // namespace
}  // namespace attest
