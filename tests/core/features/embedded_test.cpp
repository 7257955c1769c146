#include "core/features/embedded.hpp"

#include "core/features/coefficients.hpp"
#include "tests/reference/features.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {
namespace {

/// Σ_b Σ_c W[(a,b), c] X[b, c]: the inner product ⟨W, X_a⟩ of the paper.
template <class Scalar>
Scalar block_product(const MatrixOf<Scalar>& W, const MatrixOf<Scalar>& X, Index a) {
    const MatrixOf<Scalar> product = W.middleRows(a * X.rows(), X.rows()).cwiseProduct(X);
    return product.sum();
}

TEST(EmbeddedFeatures, HaveKSlowAndLFast) {
    const Matrix X = embedded_features<double>(Matrix::Identity(2, 2));

    EXPECT_EQ(X, Matrix({{0, 1, 0, 0}, {0, 0, 0, 1}}));
}

TEST(EmbeddedFeatures, GiveOneZeroForV11AndQ12AtTheIdentity) {
    const Parameters theta{2, 2, {{Matrix{{1, 0}, {0, 0}}, Matrix{{0, 1}, {0, 0}}}}};
    const Matrix X = embedded_features<double>(Matrix::Identity(2, 2));
    const Matrix W = head_tensor(theta);

    EXPECT_EQ(block_product(W, X, 0), 1.0);
    EXPECT_EQ(block_product(W, X, 1), 0.0);
}

TEST(EmbeddedFeatures, GiveZeroWhenReadInThePrintedOrder) {
    // The display of Algorithm 8 makes k the fast index: the columns (k,l) and (l,k) change places.
    const Parameters theta{2, 2, {{Matrix{{1, 0}, {0, 0}}, Matrix{{0, 1}, {0, 0}}}}};
    Matrix X = embedded_features<double>(Matrix::Identity(2, 2));
    X.col(1).swap(X.col(2));

    EXPECT_EQ(block_product(head_tensor(theta), X, 0), 0.0);
}

TEST(EmbeddedFeatures, OfOneExampleHaveFullRankAlthoughModelsDiffer) {
    // The introduction's Λ = E[X Xᵀ] is the identity for Z = I₂, yet E11,E11 and the zero model
    // agree there.
    const Matrix X = embedded_features<double>(Matrix::Identity(2, 2));

    EXPECT_EQ(X * X.transpose(), Matrix::Identity(2, 2));
}

RC_GTEST_PROP(EmbeddedFeatures, EqualAlgorithm8OverTheRationals, ()) {
    const auto Z = draw_tokens<Rational>(draw_index(1, 3));

    RC_ASSERT(to_rows(embedded_features<Rational>(Z)) ==
              reference::reference_embedded_features(to_rows(Z)));
}

RC_GTEST_PROP(EmbeddedFeatures, TimesTheHeadTensorGiveTheAttentionOutput, ()) {
    const Index d = draw_index(1, 3);
    const auto theta = draw_parameters<Rational>(d, draw_index(1, 3), draw_index(0, 3));
    const auto Z = draw_tokens<Rational>(d);

    const MatrixOf<Rational> X = embedded_features<Rational>(Z);
    const MatrixOf<Rational> W = head_tensor(theta);

    const HeadRows heads = head_rows(theta);
    const reference::Rows Y = reference::reference_attention(
        heads.V, heads.Q, to_rows(Z), static_cast<std::size_t>(theta.o));
    for (Index a = 0; a < theta.o; ++a) {
        RC_ASSERT(block_product(W, X, a) == Y[static_cast<std::size_t>(a)].back());
    }
}

TEST(EmbeddedFeatures, RefuseAMatrixWithoutColumns) {
    EXPECT_REFUSED("embedded_features: Z has no column", embedded_features<double>(Matrix(2, 0)));
}

}  // namespace
}  // namespace attest::test
