#include "core/softmax/attention.hpp"

#include "core/base/error.hpp"
#include "core/exact/reals.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest::test {
namespace {

using Column = VectorOf<Real50>;

/// xᵀ Θ y.
Real50 score(const SoftmaxHead& head, const Column& x, const Column& y) {
    Real50 sum(0);
    for (Index u = 0; u < x.size(); ++u) {
        for (Index v = 0; v < y.size(); ++v) {
            sum += x(u) * Real50(head.Theta(u, v)) * y(v);
        }
    }
    return sum;
}

/// F(X) of one sequence (d×k) straight from the definition, with 50 digits.
MatrixOf<Real50> reference(const SoftmaxHeads& heads, const Matrix& X) {
    const MatrixOf<Real50> x = X.cast<Real50>();
    MatrixOf<Real50> Y = MatrixOf<Real50>::Zero(X.rows(), X.cols());
    for (const SoftmaxHead& head : heads) {
        const MatrixOf<Real50> W = head.W.cast<Real50>();
        for (Index a = 0; a < X.cols(); ++a) {
            Real50 total(0);
            Column sum = Column::Zero(X.rows());
            for (Index j = 0; j < X.cols(); ++j) {
                const Real50 weight = exp(score(head, x.col(a), x.col(j)));
                total += weight;
                sum += weight * (W.transpose() * x.col(j));
            }
            Y.col(a) += sum / total;
        }
    }
    return Y;
}

TEST(SoftmaxAttention, OfTwoTokensOnALineIsTheLogisticFunction) {
    // d = 1, Θ = 1, W = 2, x = (1, 0): p(0) = (e, 1)/(1 + e), p(1) = (½, ½).
    const SoftmaxHeads heads{{Matrix::Ones(1, 1), 2.0 * Matrix::Ones(1, 1)}};
    Matrix X(1, 2);
    X << 1.0, 0.0;

    const Matrix Y = softmax_attention(heads, X, 2);

    EXPECT_LT(std::abs(Y(0, 0) - 2.0 / (1.0 + std::exp(-1.0))), 16.0 * 0x1p-52);
    EXPECT_LT(std::abs(Y(0, 1) - 1.0), 4.0 * 0x1p-52);
}

TEST(SoftmaxAttention, AgreesWithTheDefinitionInFiftyDigits) {
    const Index d = 4;
    const Index k = 3;
    SoftmaxHeads heads;
    for (Index i = 0; i < 2; ++i) {
        heads.push_back({0.5 * normal_matrix(d, d, Stream(1).child(i)),
                         normal_matrix(d, d, Stream(2).child(i))});
    }
    const Matrix X = normal_matrix(d, 5 * k, Stream(3));

    const Matrix Y = softmax_attention(heads, X, k);

    // A logit of size L is off by about (2d + 2) L u, and the weights by as much relatively (Higham
    // 2002, §3.1); 4 units for the exponential, d + k for the sums that follow.
    double largest_logit = 0.0;
    double size = 0.0;
    for (const SoftmaxHead& head : heads) {
        largest_logit =
            std::max(largest_logit,
                     (X.cwiseAbs().transpose() * head.Theta.cwiseAbs() * X.cwiseAbs()).maxCoeff());
        size += (head.W.cwiseAbs().transpose() * X.cwiseAbs()).maxCoeff();
    }
    const double bound = size * 0x1p-53 *
                         (4.0 * static_cast<double>(d + 1) * largest_logit + 16.0 +
                          2.0 * static_cast<double>(d + k));
    for (Index i = 0; i < 5; ++i) {
        const MatrixOf<Real50> expected = reference(heads, X.middleCols(i * k, k));
        for (Index e = 0; e < d * k; ++e) {
            const Real50 error = abs(Real50(Y(i * d * k + e)) - expected(e));
            EXPECT_LT(error.convert_to<double>(), bound);
        }
    }
}

TEST(SoftmaxAttention, IsOddAndItsPatternsAreEvenInTheTokens) {
    const SoftmaxHeads heads{{normal_matrix(3, 3, Stream(4)), normal_matrix(3, 3, Stream(5))}};
    const Matrix X = normal_matrix(3, 4, Stream(6));

    EXPECT_EQ(softmax_attention(heads, -X, 4), Matrix(-softmax_attention(heads, X, 4)));
    EXPECT_EQ(attention_weights(heads[0].Theta, -X), attention_weights(heads[0].Theta, X));
    // One k of which all tokens are used is not two sequences of k/2.
    EXPECT_NE(softmax_attention(heads, X, 4), softmax_attention(heads, X, 2));
}

TEST(SoftmaxAttention, RefusesShapesThatDoNotMatch) {
    EXPECT_REFUSED("softmax attention: got Theta 2x2 and tokens 2x5",
                   mixed_tokens(Matrix::Zero(2, 2), Matrix::Zero(2, 5), 3));
    EXPECT_THROW((void)sum_of_values({}), InvalidInput);
}

}  // namespace
}  // namespace attest::test
