#include "core/features/coefficients.hpp"

#include "core/features/cubic.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/generators.hpp"
#include "tests/support/reference_form.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest {
namespace {

using test::draw_index;
using test::draw_parameters;
using test::draw_tokens;
using test::to_rows;

reference::Rows reference_outputs(const ParametersOf<Rational>& theta,
                                  const MatrixOf<Rational>& Z) {
    const test::HeadRows heads = test::head_rows(theta);
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

    const test::HeadRows heads = test::head_rows(theta);
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

    EXPECT_EQ(test::invalid_input_message([&] { (void)coefficients(theta); }),
              "parameters: got V 2x2 and Q 2x3, expected 2x2 and 2x2");
}

}  // namespace
}  // namespace attest
