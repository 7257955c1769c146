#include "core/heads/split_heads.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/features/coefficients.hpp"
#include "core/model/forward.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(SplitHeads, ComputeTheSameCoefficients) {
    for (const Index d : {1, 2, 3, 5}) {
        for (const Index o : {Index{1}, d}) {
            const Parameters theta = test::normal_parameters(d, o, 3, Stream(51).child(d).child(o));
            const Matrix P = coefficients(theta);

            const HeadSplit split = split_heads(P, d);

            EXPECT_LT(difference_ratio(P, coefficients(split.heads)), kRatioBound);
            EXPECT_LE(split.heads.num_heads(), std::min(o * d, d * d));
        }
    }
}

TEST(SplitHeads, AreBalanced) {
    const Matrix P = coefficients(test::normal_parameters(3, 3, 2, Stream(52)));

    for (const Head& head : split_heads(P, 3).heads.heads) {
        EXPECT_LT(std::abs(head.V.norm() / head.Q.norm() - 1.0), gamma_bound(100));
    }
}

TEST(SplitHeads, FoldIsRowMajor) {
    // V = E_12, Q = E_21 alone: in the gauge-free tensor the single head comes back as it was.
    Parameters theta{2, 2, {{Matrix::Zero(2, 2), Matrix::Zero(2, 2)}}};
    theta.heads[0].V(0, 1) = 1.0;
    theta.heads[0].Q(1, 0) = 1.0;

    const HeadSplit split = split_tensor(head_tensor(theta), 2, 10);

    ASSERT_EQ(split.heads.num_heads(), 1);
    EXPECT_EQ(split.heads.heads[0].V, theta.heads[0].V);
    EXPECT_EQ(split.heads.heads[0].Q, theta.heads[0].Q);
}

TEST(SplitHeads, MinimumNormTensorOfOneHeadNeedsAllDSquaredHeads) {
    // V = Q = I at d = 2: Sym W = (vec I vec Iᵀ + I)/2 has singular values 3/2, 1/2, 1/2, 1/2.
    const Parameters theta{2, 2, {{Matrix::Identity(2, 2), Matrix::Identity(2, 2)}}};

    const HeadSplit split = split_heads(coefficients(theta), 2);

    EXPECT_EQ(split.heads.num_heads(), 4);
    EXPECT_LT(difference_ratio(Eigen::Vector4d(1.5, 0.5, 0.5, 0.5), split.sigma), kRatioBound);
}

TEST(SplitHeads, TheZeroFunctionHasNoHeads) {
    const HeadSplit split = split_heads(Matrix::Zero(feature_dim(3), 2), 3);

    EXPECT_EQ(split.heads.num_heads(), 0);
    EXPECT_EQ(coefficients(split.heads), Matrix::Zero(feature_dim(3), 2));
}

TEST(SplitHeads, TransposingQIsNoticed) {
    const Matrix P = coefficients(test::normal_parameters(3, 3, 2, Stream(53)));
    HeadSplit split = split_heads(P, 3);
    for (Head& head : split.heads.heads) {
        head.Q.transposeInPlace();
    }

    EXPECT_GT(difference_ratio(P, coefficients(split.heads)), kRatioBound);
}

TEST(SplitTensor, RefusesAWrongShape) {
    EXPECT_THROW((void)split_tensor(Matrix::Zero(3, 4), 2, 1), InvalidInput);
}

}  // namespace
}  // namespace attest
