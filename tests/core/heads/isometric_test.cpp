#include "core/heads/isometric.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/cubic.hpp"
#include "core/heads/scaled_coefficients.hpp"
#include "core/heads/split_heads.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace attest {

namespace {

using ExactMatrix = MatrixOf<Rational>;
using ExactVector = VectorOf<Rational>;

/// Small drawn_integers as rationals, drawn by RapidCheck's seed.
ExactMatrix drawn_integers(Index rows, Index cols) {
    ExactMatrix A(rows, cols);
    for (Index i = 0; i < A.size(); ++i) {
        A.data()[i] = Rational(*rc::gen::inRange(-3, 4));
    }
    return A;
}

ParametersOf<Rational> draw_heads() {
    const Index d = *rc::gen::inRange<Index>(1, 4);
    const Index o = *rc::gen::inRange<Index>(1, 4);
    ParametersOf<Rational> theta{d, o, {}};
    for (Index h = *rc::gen::inRange<Index>(0, 4); h > 0; --h) {
        theta.heads.push_back({drawn_integers(o, d), drawn_integers(d, d)});
    }
    return theta;
}

TEST(FormMatrix, OfOneHeadIsTheProductOfItsLinearForms) {
    // V = [1 2], Q = [[0,1],[3,0]]: V x = x1 + 2 x2, Qᵀx = (3 x2, x1). At x = (1,1): 3·(3, 1).
    const Matrix V{{1.0, 2.0}};
    const Matrix Q{{0.0, 1.0}, {3.0, 0.0}};
    const Matrix P = coefficients<double>(Parameters{2, 1, {{V, Q}}});

    EXPECT_EQ(form_matrix<double>(P, Eigen::Vector2d(1.0, 1.0)), (Matrix{{9.0, 3.0}}));
}

RC_GTEST_PROP(FormMatrix, FactorsThroughTheHeads, ()) {
    const ParametersOf<Rational> theta = draw_heads();
    const ExactVector x = drawn_integers(theta.d, 1);

    ExactMatrix product = ExactMatrix::Zero(theta.o, theta.d);
    for (const HeadOf<Rational>& head : theta.heads) {
        product += (head.V * x) * (head.Q.transpose() * x).transpose();
    }

    RC_ASSERT(form_matrix<Rational>(coefficients(theta), x) == product);
}

RC_GTEST_PROP(FormMatrix, SummedOverTokensIsTheOutput, ()) {
    const ParametersOf<Rational> theta = draw_heads();
    const ExactMatrix P = coefficients(theta);
    const ExactMatrix Z = drawn_integers(theta.d, *rc::gen::inRange<Index>(1, 4));

    ExactVector y = ExactVector::Zero(theta.o);
    for (Index i = 0; i < Z.cols(); ++i) {
        y += form_matrix<Rational>(P, Z.col(i)) * Z.col(Z.cols() - 1);
    }

    RC_ASSERT(y == P.transpose() * cubic_features(Z));
}

RC_GTEST_PROP(ContractedForm, IsTheContractionOfTheFormMatrix, ()) {
    const ParametersOf<Rational> theta = draw_heads();
    const ExactMatrix P = coefficients(theta);
    const ExactVector x = drawn_integers(theta.d, 1);
    const ExactVector u = drawn_integers(theta.o, 1);
    const ExactVector w = drawn_integers(theta.d, 1);

    const ExactMatrix S = contracted_form<Rational>(P, u, w);

    RC_ASSERT(S == S.transpose());
    RC_ASSERT(x.dot(S * x) == u.dot(form_matrix<Rational>(P, x) * w));
}

RC_GTEST_PROP(Gauge, AntisymmetricPartsChangeNoCoefficient, ()) {
    const Index d = *rc::gen::inRange<Index>(1, 4);
    const ExactMatrix W = drawn_integers(2 * d, d * d);
    ExactMatrix A(2 * d, d * d);
    const ExactMatrix G = drawn_integers(2 * d, d * d);
    for (Index a = 0; a < 2; ++a) {
        for (Index b = 0; b < d; ++b) {
            for (Index c = 0; c < d; ++c) {
                A.row(a * d + b).segment(c * d, d) =
                    G.row(a * d + b).segment(c * d, d) - G.row(a * d + c).segment(b * d, d);
            }
        }
    }

    RC_ASSERT(coefficients_of_tensor<Rational>(W + A, d) == coefficients_of_tensor<Rational>(W, d));
}

RC_GTEST_PROP(Gauge, SymmetricGaugeIsARightInverse, ()) {
    const Index d = *rc::gen::inRange<Index>(1, 4);
    const ExactMatrix P = drawn_integers(feature_dim(d), 2);

    RC_ASSERT(coefficients_of_tensor<Rational>(symmetric_gauge<Rational>(P, d), d) == P);
}

TEST(Isometric, NormIsTheNormOfTheSymmetricGauge) {
    for (const Index d : {1, 2, 3, 5, 8}) {
        const Matrix P = test::normal_matrix(feature_dim(d), 2, Stream(1).child(d));
        const double expected = symmetric_gauge<double>(P, d).norm();

        EXPECT_LT(std::abs(isometric(P, d).norm() - expected),
                  gamma_bound(4 * P.size()) * expected);
        EXPECT_LT(difference_ratio(P, from_isometric(isometric(P, d), d)), 30.0);
    }
}

TEST(Isometric, PackedNormIsAnotherOne) {
    // Two pair coefficients of weight 1/√2 and four of weight 1, all 1: √5, and √6 packed.
    const Matrix P = Matrix::Ones(feature_dim(2), 1);

    EXPECT_LT(std::abs(isometric(P, 2).norm() - std::sqrt(5.0)), gamma_bound(20) * 5.0);
    EXPECT_EQ(P.norm(), std::sqrt(6.0));
}

TEST(FormMatrix, RefusesAWrongShape) {
    EXPECT_REFUSED("form_matrix: P does not have psi(d) rows",
                   form_matrix<double>(Matrix::Zero(5, 1), Vector::Zero(2)));
    EXPECT_REFUSED("contracted_form: P, u and w disagree on their shapes",
                   contracted_form<double>(Matrix::Zero(6, 1), Vector::Zero(2), Vector::Zero(2)));
}

TEST(ScaledCoefficients, AreTheCoefficientsThemselvesWhereTheirSquaresAreSafe) {
    const Matrix P = Matrix::Constant(6, 1, 0x1p300);

    EXPECT_EQ(scaled_coefficients(P).exponent, 0);
    EXPECT_EQ(scaled_coefficients(P).P, P);
    EXPECT_EQ(scaled_coefficients(2.0 * P).exponent, 301);
    EXPECT_EQ(scaled_coefficients(2.0 * P).P, Matrix::Constant(6, 1, 1.0));
}

TEST(ScaledCoefficients, HeadsNearTheEndsOfTheRangeAreThoseOfOrdinaryOnesTimesAPower) {
    const Matrix P = coefficients(test::normal_parameters(2, 2, 2, Stream(4)));
    const Matrix plain = coefficients(split_heads(P, 2).heads);
    for (const int exponent : {1000, -1000, 301, -999}) {
        const Matrix extreme = P.unaryExpr([&](double x) { return std::ldexp(x, exponent); });

        const HeadSplit split = split_heads(extreme, 2);

        EXPECT_EQ(split.heads.num_heads(), split_heads(P, 2).heads.num_heads());
        const Matrix back =
            coefficients(split.heads).unaryExpr([&](double x) { return std::ldexp(x, -exponent); });
        // LAPACK works on other numbers of the same function: each is off by its own rounding.
        EXPECT_LT(difference_ratio(plain, back), kRatioBound);
    }
}

}  // namespace

}  // namespace attest
