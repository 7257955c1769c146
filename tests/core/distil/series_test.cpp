#include "core/distil/series.hpp"

#include "tests/core/distil/softmax_problems.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using test::random_softmax;
using test::softmax_data;

TEST(ScoreSeries, OfTwoTokensIsThatOfTheLogisticFunction) {
    // p = 1/(1 + exp(−2τ)) for scores ±1: the value 2p − 1 = tanh τ = τ − τ³/3.
    const SoftmaxLayer layer{1, 1, false, {{Matrix::Ones(1, 1), Matrix::Ones(1, 1)}}, {}, 1.0};
    Dataset data;
    data.tokens = Matrix{{-1.0, 1.0}};
    data.offsets = {0, 2};

    const ScoreSeries series = score_series(layer, data);

    EXPECT_EQ(series.terms[0](0, 0), 0.0);
    EXPECT_EQ(series.terms[1](0, 0), 1.0);
    EXPECT_EQ(series.terms[2](0, 0), 0.0);
    // D = R = 2: the bounds on the first three derivatives are 1, 2 and 7.
    EXPECT_EQ(series.remainders[0](0), 1.0);
    EXPECT_EQ(series.remainders[1](0), 1.0);
    EXPECT_EQ(series.remainders[2](0), 7.0 / 6.0);
}

TEST(ScoreSeries, MissesTheOutputsByNoMoreThanItsRemainders) {
    for (Index seed = 0; seed < 5; ++seed) {
        SoftmaxLayer layer = random_softmax(3, 2, 1 + seed % 2, seed);
        const Dataset data = softmax_data(layer, "linear", 2 + seed, 30, seed);
        const ScoreSeries series = score_series(layer, data);
        for (const double tau : {1.0, 0.25, 0.03125}) {
            layer.tau = tau;
            const Matrix y = outputs(layer, data);
            Matrix sum = Matrix::Zero(2, 30);
            double power = 1.0;
            for (std::size_t k = 0; k < 3; ++k) {
                sum += power * series.terms[k];
                power *= tau;
                for (Index i = 0; i < 30; ++i) {
                    // A few dozen roundings of numbers below 16, beside the bound.
                    EXPECT_LE((y.col(i) - sum.col(i)).norm(),
                              power * series.remainders[k](i) + 64.0 * 16.0 * 0x1p-53);
                }
            }
        }
    }
}

TEST(ScoreSeries, WithAWrongSecondTermLeavesTheRemainder) {
    SoftmaxLayer layer = random_softmax(3, 2, 1, 0);
    const Dataset data = softmax_data(layer, "linear", 6, 30, 0);
    const ScoreSeries series = score_series(layer, data);
    layer.tau = 0.03125;
    const Matrix y = outputs(layer, data);
    // E z a in place of Cov(z, a): the mean's share is of first order.
    const Matrix wrong = series.terms[0] + layer.tau * (series.terms[1] + series.terms[0]);
    const Vector missed = (y - wrong).colwise().norm();
    EXPECT_GT((missed - layer.tau * layer.tau * series.remainders[1]).maxCoeff(), 0.0);
}

}  // namespace
}  // namespace attest
