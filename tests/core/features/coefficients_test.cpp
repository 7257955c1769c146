#include "core/features/coefficients.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/features/cubic.hpp"
#include "core/layers/parse_layer.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>

namespace attest::test {
namespace {

/// A product of elementary integer matrices and its inverse: both integral, determinant 1.
struct Unimodular {
    Matrix G;
    Matrix inverse;
};

Unimodular draw_unimodular(Index size) {
    Unimodular drawn{Matrix::Identity(size, size), Matrix::Identity(size, size)};
    for (Index step = 0; step < 2 * size && size > 1; ++step) {
        const Index i = draw_index(0, size - 1);
        const Index j = (i + draw_index(1, size - 1)) % size;
        const double c = *rc::gen::element(-2.0, -1.0, 1.0, 2.0);
        drawn.G.col(j) += c * drawn.G.col(i);
        drawn.inverse.row(i) -= c * drawn.inverse.row(j);
    }
    return drawn;
}

TEST(SymmetricGauge, OfOneIdentityHeadHasRankFour) {
    // V = Q = I, d = 2: Sym W = (vec I vec Iᵀ + I₄)/2, singular values 3/2, 1/2, 1/2, 1/2.
    const Parameters theta{2, 2, {{Matrix::Identity(2, 2), Matrix::Identity(2, 2)}}};
    const Vector v{{1, 0, 0, 1}};

    const Matrix W = symmetric_gauge<double>(coefficients(theta), 2);

    EXPECT_EQ(W, Matrix(0.5 * (v * v.transpose() + Matrix::Identity(4, 4))));
    EXPECT_EQ(Matrix(W * v), Matrix(1.5 * v));
}

TEST(HeadTensor, FlattensRowMajor) {
    const Matrix V{{1, 2}, {3, 4}};
    const Matrix Q{{5, 6}, {7, 8}};

    const Matrix W = head_tensor(Parameters{2, 2, {{V, Q}}});

    EXPECT_EQ(W.row(1), Matrix({{2 * 5, 2 * 6, 2 * 7, 2 * 8}}));
}

RC_GTEST_PROP(CoefficientsOfTensor, AreTheCoefficientsOfTheHeads, ()) {
    const Index d = draw_index(1, 3);
    const Parameters theta = draw_parameters(d, draw_index(1, 3), draw_index(0, 4));

    RC_ASSERT(coefficients_of_tensor(head_tensor(theta), d) == coefficients(theta));
}

RC_GTEST_PROP(CoefficientsOfTensor, DoNotSeeAntisymmetricParts, ()) {
    const Index d = draw_index(1, 3);
    const Matrix W = draw_integers(2 * d, d * d);
    Matrix moved = W;
    const Matrix A = draw_integers(2 * d, d * d);
    for (Index a = 0; a < 2; ++a) {
        for (Index b = 0; b < d; ++b) {
            for (Index c = 0; c < d; ++c) {
                moved.block(a * d + b, c * d, 1, d) += A.block(a * d + b, c * d, 1, d);
                moved.block(a * d + c, b * d, 1, d) -= A.block(a * d + b, c * d, 1, d);
            }
        }
    }

    RC_ASSERT(coefficients_of_tensor(moved, d) == coefficients_of_tensor(W, d));
}

TEST(CoefficientsOfTensor, SeeASymmetricChange) {
    Matrix W = Matrix::Zero(2, 4);
    W(0, 2) = 1;  // (b,c) = (1,2)
    W(1, 0) = 1;  // (b,c) = (2,1), the same sign

    EXPECT_EQ(coefficients_of_tensor(W, 2)(0, 0), 2.0);
}

RC_GTEST_PROP(CoefficientsOfTensor, DoNotChangeWhenHeadsAreMixedByAUnimodularMatrix, ()) {
    const Index d = draw_index(1, 3);
    const Index H = draw_index(1, 4);
    const Parameters theta = draw_parameters(d, draw_index(1, 3), H);
    const Unimodular mix = draw_unimodular(H);
    Parameters mixed{d, theta.o, {}};
    for (Index h = 0; h < H; ++h) {
        Head head{Matrix::Zero(theta.o, d), Matrix::Zero(d, d)};
        for (Index g = 0; g < H; ++g) {
            const Head& old = theta.heads[static_cast<std::size_t>(g)];
            head.V += mix.G(g, h) * old.V;
            head.Q += mix.inverse(h, g) * old.Q;
        }
        mixed.heads.push_back(head);
    }

    RC_ASSERT(mix.G * mix.inverse == Matrix::Identity(H, H));
    RC_ASSERT(coefficients(mixed) == coefficients(theta));
}

RC_GTEST_PROP(SymmetricGauge, HasTheGivenCoefficientsAndIsSymmetric, ()) {
    const Index d = draw_index(1, 3);
    const auto P = draw_integers<Rational>(feature_dim(d), draw_index(1, 3));

    const RationalMatrix W = symmetric_gauge<Rational>(P, d);

    RC_ASSERT(coefficients_of_tensor(W, d) == P);
    for (Index a = 0; a < P.cols(); ++a) {
        for (Index b = 0; b < d; ++b) {
            for (Index c = 0; c < d; ++c) {
                RC_ASSERT(W.block(a * d + b, c * d, 1, d) == W.block(a * d + c, b * d, 1, d));
            }
        }
    }
}

RC_GTEST_PROP(SymmetricGauge, HasTheLeastNormOfAllTensorsWithItsCoefficients, ()) {
    const Index d = draw_index(1, 3);
    const auto W = draw_integers<Rational>(2 * d, d * d);

    const RationalMatrix least = symmetric_gauge<Rational>(coefficients_of_tensor(W, d), d);
    const RationalMatrix rest = W - least;

    // Pythagoras: the difference is orthogonal to the symmetric part.
    RC_ASSERT(W.squaredNorm() == Rational(least.squaredNorm() + rest.squaredNorm()));
}

RC_GTEST_PROP(CoefficientNorm, IsTheFrobeniusNormOfTheChosenForm, ()) {
    const Index d = draw_index(1, 3);
    const Matrix P = draw_integers(feature_dim(d), 2);
    const double sym = symmetric_gauge<double>(P, d).norm();
    // Sums of 2ψ weighted squares and a root.
    const double relative = gamma_bound(2 * feature_dim(d) + 8);

    RC_ASSERT(std::abs(coefficient_norm(P, d, Norm::sym) - sym) <= relative * sym);
    RC_ASSERT(std::abs(coefficient_norm(P, d, Norm::packed) - P.norm()) <= relative * P.norm());
}

TEST(CoefficientNorm, WeighsPairsByOneHalfInTheSymmetricForm) {
    Matrix P = Matrix::Zero(6, 1);
    P(0, 0) = 8;  // the pair (1,2)

    EXPECT_EQ(coefficient_norm(P, 2, Norm::packed), 8.0);
    EXPECT_LE(std::abs(coefficient_norm(P, 2, Norm::sym) - std::sqrt(32.0)),
              gamma_bound(4) * std::sqrt(32.0));
}

TEST(Norm, NamesReadBackAsThemselves) {
    EXPECT_EQ(norm_from_string(to_string(Norm::sym)), Norm::sym);
    EXPECT_EQ(norm_from_string(to_string(Norm::packed)), Norm::packed);
}

TEST(Norm, RefusesAnUnknownName) {
    std::string message = "nothing was thrown";
    try {
        (void)norm_from_string("l2");
    } catch (const UnknownName& error) {
        message = error.what();
    }

    EXPECT_EQ(message, "norm: got 'l2', expected one of sym, packed; nearest: sym");
}

TEST(Gauge, NamesShapesThatDisagree) {
    EXPECT_REFUSED("symmetric_gauge: P does not have psi(d) rows",
                   symmetric_gauge<double>(Matrix::Zero(5, 1), 2));
    EXPECT_REFUSED("coefficients_of_tensor: W is not (o·d)×d²",
                   coefficients_of_tensor<double>(Matrix::Zero(3, 4), 2));
    EXPECT_REFUSED("coefficient_norm: P does not have psi(d) rows",
                   coefficient_norm(Matrix::Zero(5, 1), 2, Norm::sym));
}

reference::Rows reference_outputs(const ParametersOf<Rational>& theta,
                                  const MatrixOf<Rational>& Z) {
    const HeadRows heads = head_rows(theta);
    return reference::reference_attention(
        heads.V, heads.Q, to_rows(Z), static_cast<std::size_t>(theta.o));
}

TEST(Coefficients, OfV11AndQ12AreOneAtTheSquareOfRowOne) {
    const Parameters theta{2, 2, {{Matrix{{1, 0}, {0, 0}}, Matrix{{0, 1}, {0, 0}}}}};

    // Order (12,1) (12,2) (11,1) (11,2) (22,1) (22,2): V_11 Q_12 multiplies S_11 z_2.
    Matrix expected = Matrix::Zero(6, 2);
    expected(3, 0) = 1;
    EXPECT_EQ(coefficients(theta), expected);
}

TEST(Coefficients, OfASquareAreNotDoubled) {
    // Equation 19 read at j = k would give 2; the model's output at Z = [1] is 1.
    const Parameters theta{1, 1, {{Matrix::Ones(1, 1), Matrix::Ones(1, 1)}}};

    EXPECT_EQ(coefficients(theta), Matrix::Ones(1, 1));
}

TEST(Coefficients, AreZeroWithoutHeads) {
    EXPECT_EQ(coefficients(Parameters{2, 3, {}}), Matrix::Zero(6, 3));
}

RC_GTEST_PROP(Coefficients, EqualEquations41And42OverTheRationals, ()) {
    const Index d = draw_index(1, 3);
    const auto theta = draw_parameters<Rational>(d, draw_index(1, 3), draw_index(0, 4));

    const HeadRows heads = head_rows(theta);
    RC_ASSERT(
        to_rows(coefficients(theta)) ==
        reference::reference_coefficients(
            heads.V, heads.Q, static_cast<std::size_t>(theta.o), static_cast<std::size_t>(d)));
}

RC_GTEST_PROP(Coefficients, TimesCubicFeaturesGiveTheAttentionOutput, ()) {
    const Index d = draw_index(1, 3);
    const auto theta = draw_parameters<Rational>(d, draw_index(1, 3), draw_index(0, 4));
    const auto Z = draw_tokens<Rational>(d);

    const VectorOf<Rational> y = coefficients(theta).transpose() * cubic_features<Rational>(Z);

    const reference::Rows Y = reference_outputs(theta, Z);
    for (Index a = 0; a < theta.o; ++a) {
        RC_ASSERT(y(a) == Y[static_cast<std::size_t>(a)].back());
    }
}

TEST(Coefficients, WithOneSignTurnedNoLongerGiveTheAttentionOutput) {
    // Negative control of the property above: its equality does notice a single wrong entry.
    const ParametersOf<Rational> theta{
        2, 1, {{MatrixOf<Rational>::Ones(1, 2), MatrixOf<Rational>::Ones(2, 2)}}};
    const MatrixOf<Rational> Z = MatrixOf<Rational>::Ones(2, 2);
    MatrixOf<Rational> P = coefficients(theta);
    const Rational truth = reference_outputs(theta, Z).front().back();

    EXPECT_EQ((P.transpose() * cubic_features<Rational>(Z))(0), truth);
    P(0, 0) = -P(0, 0);
    EXPECT_NE((P.transpose() * cubic_features<Rational>(Z))(0), truth);
}

RC_GTEST_PROP(Coefficients, AreBitwiseEqualWhenAPowerOfTwoMovesFromQToV, ()) {
    const Index d = draw_index(1, 3);
    const Parameters theta = draw_parameters(d, draw_index(1, 3), draw_index(1, 4));
    Parameters moved = theta;
    for (Head& head : moved.heads) {
        const double c = *rc::gen::element(0.25, 0.5, 2.0, 1024.0, -4.0);
        head.V *= c;
        head.Q /= c;
    }

    RC_ASSERT(coefficients(moved) == coefficients(theta));
}

RC_GTEST_PROP(Coefficients, FollowSignFlipsOfTheRows, ()) {
    // D = diag(signs): the model V D, D Q D on Z is the model V, Q on D Z, so its coefficients flip
    // like H(DZ).
    const Index d = draw_index(1, 3);
    const Parameters theta = draw_parameters(d, draw_index(1, 3), 2);
    const Matrix Z = draw_tokens(d);
    Vector signs(d);
    for (Index j = 0; j < d; ++j) {
        signs(j) = *rc::gen::element(-1.0, 1.0);
    }
    Parameters flipped = theta;
    for (Head& head : flipped.heads) {
        head.V = head.V * signs.asDiagonal();
        head.Q = signs.asDiagonal() * head.Q * signs.asDiagonal();
    }

    const Vector diagonal =
        features_of_moments<double>(pack<double>(signs * signs.transpose()), signs);
    RC_ASSERT(coefficients(flipped) == diagonal.asDiagonal() * coefficients(theta));
    RC_ASSERT(coefficients(flipped).transpose() * cubic_features<double>(Z) ==
              coefficients(theta).transpose() * cubic_features<double>(signs.asDiagonal() * Z));
}

TEST(Coefficients, RefuseHeadsOfTheWrongShape) {
    const Parameters theta{2, 2, {{Matrix::Zero(2, 2), Matrix::Zero(2, 3)}}};

    EXPECT_REFUSED("parameters: got V 2x2 and Q 2x3", coefficients(theta));
}

TEST(ModelCoefficients, AreTheFilesOwnBeforeThoseOfItsHeads) {
    // One head with V = 2 and Q = 3, d = o = 1: p = 6.
    const Head head{Matrix::Constant(1, 1, 2.0), Matrix::Constant(1, 1, 3.0)};
    const Model heads{1, 1, Matrix(), {1, 1, {head}}, ""};
    const Model both{1, 1, Matrix::Constant(1, 1, 5.0), {1, 1, {head}}, ""};

    EXPECT_EQ(coefficients(heads, "m.npz"), Matrix::Constant(1, 1, 6.0));
    EXPECT_EQ(coefficients(both, "m.npz"), Matrix::Constant(1, 1, 5.0));
}

TEST(ModelCoefficients, AreThoseOfHeadsOfAnyLayer) {
    Model model{2, 1, Matrix(), {2, 1, {}}, ""};
    model.layer = layer_named("decay=1/2,1/4");
    model.input.d = 2;
    const LayerHead head{Matrix{{2, 1}}, Matrix{{1, 0}, {0, 3}}, 1};
    model.layer_heads.heads = {head, head};

    const Matrix P = coefficients(model, "m.npz");

    EXPECT_EQ(P, coefficients(model.layer, model.input, 1, model.layer_heads));
    EXPECT_EQ(P.topRows(P.rows() / 2), Matrix::Zero(P.rows() / 2, 1)) << "no head has kernel 0";
    EXPECT_GT(P.norm(), 0.0);
    model.layer_heads.heads.front().V *= 5e307;
    EXPECT_REFUSED("m.npz: the coefficients V times Q are beyond the largest double",
                   coefficients(model, "m.npz"));
}

}  // namespace

}  // namespace attest::test
