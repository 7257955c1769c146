// Every number that docs/mathematics.md prints, section by section. Small integers: doubles are
// exact, and so is ==.
#include "core/base/bitwise.hpp"
#include "core/certify/rank/exact_rank.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/cubic.hpp"
#include "core/model/forward.hpp"
#include "proofs_check/exact/example_sets.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

namespace attest {
namespace {

/// E_jk, with 1-based indices as in the text.
Matrix unit(Index j, Index k) {
    Matrix E = Matrix::Zero(2, 2);
    E(j - 1, k - 1) = 1.0;
    return E;
}

Parameters layer(std::initializer_list<Head> heads) {
    return {2, heads.begin()->V.rows(), heads};
}

Vector output(const Parameters& theta, const Matrix& Z) {
    return attend<double>(theta, Z, Z.col(Z.cols() - 1));
}

/// (1/6) Σ ‖ŷ − S_11 z‖² over the six inputs.
double risk_against_s11_z(const Parameters& theta) {
    const Dataset inputs = unimodular_six();
    double sum = 0.0;
    for (Index i = 0; i < inputs.num_sequences(); ++i) {
        const Matrix Z = inputs.sequence(i);
        const Vector label = Z.row(0).squaredNorm() * Z.col(Z.cols() - 1);
        sum += (output(theta, Z) - label).squaredNorm();
    }
    return sum / 6.0;
}

TEST(MathematicsSection4, HandExampleAgreesByAllThreeRoutes) {
    const Matrix Z{{1, 2}, {3, 4}};
    const Parameters theta = layer({{Matrix{{0, 1}, {1, 0}}, Matrix{{1, 2}, {0, 1}}}});
    const Vector expected{{210.0, 94.0}};

    EXPECT_TRUE(output(theta, Z) == expected);
    EXPECT_TRUE(attend_moments<double>(theta, Z * Z.transpose(), Z.col(1)) == expected);
    EXPECT_TRUE(cubic_features<double>(Z) == (Vector{{22, 44, 10, 20, 50, 100}}));
    EXPECT_TRUE(coefficients(theta).transpose() ==
                (Matrix{{1, 2, 0, 0, 0, 1}, {0, 1, 1, 2, 0, 0}}));
}

TEST(MathematicsSection5, DifferentHeadsAreTheSameFunction) {
    const Parameters left = layer({{Matrix{{1, 0}}, unit(2, 1)}});
    const Parameters right = layer({{Matrix{{0, 1}}, unit(1, 1)}});

    EXPECT_FALSE(head_tensor(left) == head_tensor(right));
    EXPECT_TRUE(coefficients(left) == coefficients(right));
    EXPECT_TRUE(coefficients(left).transpose() == (Matrix{{1, 0, 0, 0, 0, 0}}));
}

TEST(MathematicsSection7, OneHeadMayNeedFourSingularValues) {
    // Sym W of V = Q = I is (vec I vec Iᵀ + I)/2: vec I has eigenvalue 3/2, its complement 1/2.
    const Matrix I = Matrix::Identity(2, 2);
    const Vector vec = flatten(I);

    const Matrix W = symmetric_gauge(coefficients(layer({{I, I}})), 2);

    EXPECT_TRUE(W == 0.5 * (vec * vec.transpose() + Matrix::Identity(4, 4)));
    EXPECT_TRUE(W * vec == 1.5 * vec);
}

TEST(MathematicsSection7, SymmetricQueryMatricesWithFreeValuesReachEveryFeature) {
    for (Index d = 1; d <= 5; ++d) {
        Matrix reached(feature_dim(d), feature_dim(d));
        Index at = 0;
        for (Index m = 0; m < d; ++m) {
            for (Index l = m; l < d; ++l) {
                Matrix Q = Matrix::Zero(d, d);
                Q(m, l) = 1.0;
                Q(l, m) = 1.0;
                for (Index j = 0; j < d; ++j) {
                    const Matrix V = Matrix::Identity(d, d).row(j);
                    reached.col(at++) = coefficients(Parameters{d, 1, {{V, Q}}});
                }
            }
        }

        EXPECT_EQ(at, feature_dim(d));
        EXPECT_EQ(reached.fullPivLu().rank(), feature_dim(d)) << "d = " << d;
    }
}

TEST(MathematicsSection8, SixInputsHaveTheFeaturesPrintedAndAreCertified) {
    const Matrix printed{{0, 0, 1, 0, 1, 0},
                         {0, 0, 0, 1, 0, 1},
                         {0, 0, 2, 0, 1, 0},
                         {0, 0, 0, 2, 0, 1},
                         {1, 0, 2, 0, 2, 0},
                         {0, 1, 0, 2, 0, 2}};
    const Dataset inputs = unimodular_six();

    ASSERT_EQ(inputs.num_sequences(), printed.rows());
    for (Index i = 0; i < printed.rows(); ++i) {
        const Matrix Z = inputs.sequence(i);
        EXPECT_TRUE(cubic_features(Z) == printed.row(i).transpose());
    }
    // The inverse has integer entries, so the determinant is 1 or −1.
    const Matrix inverse = printed.inverse().array().round();
    EXPECT_TRUE(printed * inverse == Matrix::Identity(6, 6));
    EXPECT_EQ(certify_rank(inputs).verdict, RankVerdict::full_rank);
}

TEST(MathematicsSection8, QuarterTurnLeavesTheRiskOfOneHeadAsItIs) {
    const Matrix J{{0, -1}, {1, 0}};
    const Matrix zero = Matrix::Zero(2, 2);
    EXPECT_TRUE(bitwise_equal(risk_against_s11_z(layer({{zero, zero}})), 3.0));
    EXPECT_TRUE(bitwise_equal(risk_against_s11_z(layer({{unit(1, 1), unit(1, 1)}})), 1.5));

    const Head head{Matrix{{1, -2}, {3, 1}}, Matrix{{2, 1}, {-1, 3}}};
    const Head turned{J * head.V, head.Q * J.transpose()};

    EXPECT_TRUE(
        bitwise_equal(risk_against_s11_z(layer({head})), risk_against_s11_z(layer({turned}))));
    EXPECT_FALSE(coefficients(layer({head})) == coefficients(layer({turned})));
}

TEST(MathematicsSection8, FiveInputsLeaveOneNullVectorThatTwoHeadsReach) {
    const Vector null_vector{{0, 0, 0, 1, -1, 0}};  // S_11 z_2 − S_22 z_1
    const Parameters two = layer({{unit(1, 1), unit(1, 2)}, {-unit(1, 2), unit(2, 1)}});

    const Dataset inputs = deficient_five();
    for (Index i = 0; i < inputs.num_sequences(); ++i) {
        const Matrix Z = inputs.sequence(i);
        EXPECT_TRUE(is_zero(null_vector.dot(cubic_features(Z))));
        EXPECT_TRUE(output(two, Z) == Vector::Zero(2));
    }
    EXPECT_EQ(certify_rank(inputs).rank_lower, 5);
    EXPECT_TRUE(output(two, Matrix{{1, 1}, {0, 1}}) == (Vector{{1, 0}}));
}

TEST(MathematicsSection10, TwoHeadsAgreeOnOneTokenAndDifferOnTwo) {
    const Matrix I = Matrix::Identity(2, 2);
    const Parameters left = layer({{I, unit(1, 2)}});
    const Parameters right = layer({{I, unit(2, 1)}});
    const Matrix one{{2}, {3}};

    EXPECT_TRUE(output(left, one) == (Vector{{12, 18}}));
    EXPECT_TRUE(output(right, one) == (Vector{{12, 18}}));
    EXPECT_TRUE(output(left, I) == (Vector{{1, 0}}));
    EXPECT_TRUE(output(right, I) == Vector::Zero(2));
}

TEST(MathematicsSection10, OneTokenLosesDTimesDSquaredMinusOneOverThree) {
    for (Index d = 2; d <= 4; ++d) {
        // Every token with entries −1, 0, 1.
        std::vector<Matrix> tokens;
        const auto count = static_cast<Index>(std::pow(3.0, static_cast<double>(d)));
        for (Index i = 0; i < count; ++i) {
            Matrix Z(d, 1);
            Index digits = i;
            for (Index j = 0; j < d; ++j) {
                Z(j, 0) = static_cast<double>(digits % 3 - 1);
                digits /= 3;
            }
            tokens.push_back(Z);
        }
        const ExactRank rank = certify_rank(sequences(tokens));

        EXPECT_TRUE(rank.rank_is_exact());
        EXPECT_EQ(feature_dim(d) - rank.rank_lower, d * (d * d - 1) / 3) << "d = " << d;
    }
}

TEST(MathematicsSection11, EquationNineteenOnTheDiagonalWouldDouble) {
    const Matrix one = Matrix::Ones(1, 1);
    const Parameters theta{1, 1, {{one, one}}};

    EXPECT_TRUE(bitwise_equal(output(theta, one)(0), 1.0));
    EXPECT_TRUE(bitwise_equal(coefficients(theta)(0, 0), 1.0));
}

}  // namespace
}  // namespace attest
