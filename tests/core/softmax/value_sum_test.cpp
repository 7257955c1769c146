#include "core/softmax/value_sum.hpp"

#include "core/base/error.hpp"
#include "core/softmax/diagnostics.hpp"
#include "tests/core/softmax/planted.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest::test {
namespace {

/// All Boolean sequences of k tokens: the expectation itself.
SoftmaxSource every_sequence(const SoftmaxHeads& heads, Index k) {
    const Index d = heads.front().W.rows();
    const Index count = Index{1} << (d * k);
    SoftmaxExamples all{k, Matrix(d, count * k), Matrix()};
    for (Index i = 0; i < count; ++i) {
        for (Index e = 0; e < d * k; ++e) {
            all.X(i * d * k + e) = (i >> e) % 2 == 0 ? 1.0 : -1.0;
        }
    }
    all.Y = softmax_attention(heads, all.X, k);
    return source_of(all);
}

TEST(CrudeSum, IsTheSumOfValuesWhereEveryHeadAverages) {
    // Θ = 0: p is uniform and both estimators are unbiased; over all inputs, exact up to rounding.
    SoftmaxHeads heads = Planted(setting(TokenLaw::boolean, 3, 3, 2, 1.0), 1, 0).heads();
    for (SoftmaxHead& head : heads) {
        head.Theta.setZero();
    }
    const SoftmaxSource source = every_sequence(heads, 3);

    for (const CrudeEstimator estimator :
         {CrudeEstimator::all_pairs, CrudeEstimator::off_diagonal}) {
        // 512·9 products of entries at most 3 and √3.
        EXPECT_LT(sum_error(crude_sum(source, estimator), heads), 4608.0 * 9.0 * 0x1p-53)
            << to_string(estimator);
    }
}

TEST(CrudeSum, HasTheFirstOrderBiasThatIsPredicted) {
    // Over all inputs there is no sampling error: what is left after the prediction is of second
    // order in Θ, a quarter for half the norm; the bias itself only halves, and so does what a
    // prediction for another law of the entries leaves.
    for (const Index k : {2, 3}) {
        const auto left = [&](double norm, double excess_kurtosis) {
            const SoftmaxHeads heads =
                Planted(setting(TokenLaw::boolean, 3, k, 2, norm), 1, 0).heads();
            const Matrix W = crude_sum(every_sequence(heads, k), CrudeEstimator::all_pairs);
            return sum_error(W - first_order_bias(heads, k, excess_kurtosis), heads);
        };

        EXPECT_GT(left(0.02, -2.0) / left(0.01, -2.0), 3.5);
        EXPECT_LT(left(0.02, 0.0) / left(0.01, 0.0), 2.5);
    }
}

TEST(CrudeSum, OffDiagonalCancelsMostOfTheBiasOfLongSequences) {
    const Planted planted(setting(TokenLaw::gaussian, 8, 8, 2, 1.0), 20000, 1);

    const double paper =
        sum_error(crude_sum(planted.source(), CrudeEstimator::all_pairs), planted.heads());
    const double ours =
        sum_error(crude_sum(planted.source(), CrudeEstimator::off_diagonal), planted.heads());

    EXPECT_LT(ours, 0.5 * paper);
    EXPECT_EQ(preferred_estimator(8), CrudeEstimator::off_diagonal);
    EXPECT_EQ(preferred_estimator(2), CrudeEstimator::all_pairs);
}

TEST(LabelScale, IsTheRootMeanSquareLengthOfATokensLabel) {
    // Two examples of two tokens; labels (3, 4), (0, 0), (0, 0), (0, 0): √(25/4).
    SoftmaxExamples examples{2, Matrix::Ones(2, 4), Matrix::Zero(2, 4)};
    examples.Y.col(0) << 3.0, 4.0;

    EXPECT_EQ(label_scale(source_of(examples)), 2.5);
}

TEST(CrudeSum, OffDiagonalNeedsTwoTokens) {
    const Planted planted(setting(TokenLaw::gaussian, 2, 1, 1, 1.0), 3, 2);
    EXPECT_REFUSED("crude_sum: off_diagonal got sequences of 1 token",
                   crude_sum(planted.source(), CrudeEstimator::off_diagonal));
}

}  // namespace
}  // namespace attest::test
