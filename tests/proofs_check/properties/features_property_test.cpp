// Properties of features and coefficients on integers of magnitude ≤ 3, d ≤ 3, n ≤ 4: every sum is
// exact in double, so the comparisons are ==. Each has a planted fault that must be found.
#include "core/features/coefficients.hpp"
#include "core/features/cubic.hpp"
#include "core/model/forward.hpp"
#include "proofs_check/exact/other_routes.hpp"
#include "tests/proofs_check/properties/falsifiable.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>

namespace attest::test {
namespace {

bool same_bits(const Matrix& A, const Matrix& B) {
    return A.rows() == B.rows() && A.cols() == B.cols() && (A.array() == B.array()).all();
}

Vector last_output(const Parameters& theta, const Matrix& Z) {
    return attend<double>(theta, Z, Z.col(Z.cols() - 1));
}

RC_GTEST_PROP(Property01, OutputIsTheInnerProductOfCoefficientsAndFeatures, ()) {
    const Index d = draw_index(1, 3);
    const Parameters theta = draw_parameters(d, draw_index(1, 3), draw_index(0, 3));
    const Matrix Z = draw_tokens(d);

    RC_ASSERT(same_bits(coefficients(theta).transpose() * cubic_features<double>(Z),
                        last_output(theta, Z)));
}

TEST(Property01, NoticesAnExchangeOfValueAndQuery) {
    EXPECT_TRUE(falsifiable("V and Q exchanged", [] {
        const Parameters theta = draw_parameters(2, 2, 1);
        const Parameters swapped{2, 2, {{theta.heads[0].Q, theta.heads[0].V}}};
        const Matrix Z = draw_tokens(2);
        RC_ASSERT(same_bits(coefficients(swapped).transpose() * cubic_features<double>(Z),
                            last_output(theta, Z)));
    }));
}

RC_GTEST_PROP(Property02, UnimodularMixtureOfHeadsAndGaugeKeepTheCoefficients, ()) {
    const Index d = draw_index(1, 3);
    const RationalParameters theta =
        draw_parameters<Rational>(d, draw_index(1, 3), draw_index(1, 3));
    const Stream stream(static_cast<std::uint64_t>(draw_index(0, 1000)));

    RC_ASSERT(coefficients(scrambled_heads(theta, stream)) == coefficients(theta));
}

TEST(Property02, NoticesAMixtureWithoutItsInverse) {
    EXPECT_TRUE(falsifiable("Q mixed by G instead of its inverse", [] {
        const RationalParameters theta = draw_parameters<Rational>(2, 2, 2);
        RationalParameters mixed = theta;
        mixed.heads[0].V += theta.heads[1].V;
        mixed.heads[0].Q += theta.heads[1].Q;
        RC_ASSERT(coefficients(mixed) == coefficients(theta));
    }));
}

RC_GTEST_PROP(Property03, PowersOfTwoMoveBetweenValueAndQueryWithoutARounding, ()) {
    const Index d = draw_index(1, 3);
    const Parameters theta = draw_parameters(d, draw_index(1, 3), draw_index(1, 3));
    const double c = std::ldexp(1.0, static_cast<int>(draw_index(-8, 8)));
    Parameters scaled = theta;
    for (Head& head : scaled.heads) {
        head.V *= c;
        head.Q /= c;
    }

    RC_ASSERT(same_bits(coefficients(scaled), coefficients(theta)));
}

TEST(Property03, NoticesAScaleOnOneSide) {
    EXPECT_TRUE(falsifiable("V scaled alone", [] {
        const Parameters theta = draw_parameters(2, 2, 1);
        Parameters scaled = theta;
        scaled.heads[0].V *= 2.0;
        RC_ASSERT(same_bits(coefficients(scaled), coefficients(theta)));
    }));
}

RC_GTEST_PROP(Property04, OrderAndSignsOfTheTokensBeforeTheQueryDoNotMatter, ()) {
    const Index d = draw_index(1, 3);
    const Matrix Z = draw_integers(d, 4);
    Matrix other = Z;
    const Index shift = draw_index(0, 2);
    for (Index t = 0; t < 3; ++t) {
        const double sign = draw_index(0, 1) == 0 ? -1.0 : 1.0;
        other.col(t) = sign * Z.col((t + shift) % 3);
    }

    RC_ASSERT(same_bits(cubic_features<double>(other), cubic_features<double>(Z)));
}

TEST(Property04, NoticesThatTheQueryMatters) {
    EXPECT_TRUE(falsifiable("the query exchanged with another token", [] {
        const Matrix Z = draw_integers(2, 3);
        Matrix other = Z;
        other.col(2) = Z.col(0);
        other.col(0) = Z.col(2);
        RC_ASSERT(same_bits(cubic_features<double>(other), cubic_features<double>(Z)));
    }));
}

RC_GTEST_PROP(Property05, FeaturesAreCubic, ()) {
    const Matrix Z = draw_tokens(draw_index(1, 3));
    const auto c = static_cast<double>(draw_index(-4, 4));

    RC_ASSERT(same_bits(cubic_features<double>(c * Z), c * c * c * cubic_features<double>(Z)));
}

TEST(Property05, NoticesAnotherDegree) {
    EXPECT_TRUE(falsifiable("degree 2", [] {
        const Matrix Z = draw_tokens(2);
        const Matrix twice = 2.0 * Z;
        RC_ASSERT(same_bits(cubic_features<double>(twice), 4.0 * cubic_features<double>(Z)));
    }));
}

RC_GTEST_PROP(Property06, SignsOfRowsPassToTheFeaturesTheyOccurIn, ()) {
    const Index d = draw_index(1, 3);
    const Matrix Z = draw_tokens(d);
    Vector s(d);
    for (Index j = 0; j < d; ++j) {
        s(j) = draw_index(0, 1) == 0 ? -1.0 : 1.0;
    }
    const Matrix flipped = s.asDiagonal() * Z;
    Vector expected = cubic_features<double>(Z);
    for (Index p = 0; p < packed_dim(d); ++p) {
        const auto [j, k] = packed_pair(d, p);
        for (Index l = 0; l < d; ++l) {
            expected(p * d + l) *= s(j) * s(k) * s(l);
        }
    }

    RC_ASSERT(same_bits(cubic_features<double>(flipped), expected));
}

TEST(Property06, NoticesAForgottenSign) {
    EXPECT_TRUE(falsifiable("the sign of the query's row forgotten", [] {
        const Matrix Z = draw_tokens(1);
        RC_ASSERT(same_bits(cubic_features<double>(-Z), cubic_features<double>(Z)));
    }));
}

RC_GTEST_PROP(Property07, SquaredFeatureNormIsAtMostTheSixthPowerOfTheInputs, ()) {
    const Matrix Z = draw_tokens(draw_index(1, 3));
    const double size = Z.squaredNorm();
    const double norm = cubic_features<double>(Z).squaredNorm();
    const bool single = (Z.array() != 0.0).count() <= 1;
    const bool in_query = (Z.leftCols(Z.cols() - 1).array() != 0.0).count() == 0;

    RC_ASSERT(norm <= size * size * size);
    RC_ASSERT((norm >= size * size * size) == ((single && in_query) || Z.isZero(0.0)));
}

TEST(Property07, NoticesASmallerConstant) {
    EXPECT_TRUE(falsifiable("half the bound", [] {
        const Matrix Z = draw_tokens(1);
        const double size = Z.squaredNorm();
        RC_ASSERT(2.0 * cubic_features<double>(Z).squaredNorm() <= size * size * size);
    }));
}

RC_GTEST_PROP(Property09, SingleTokensSpanNoMoreThanTheCubicMonomials, ()) {
    const Index d = draw_index(1, 3);
    std::vector<RationalMatrix> tokens;
    for (Index i = 0; i < feature_dim(d); ++i) {
        tokens.push_back(draw_integers<Rational>(d, 1));
    }

    RC_ASSERT(rational_rank(feature_rows(tokens)) <= d * (d + 1) * (d + 2) / 6);
}

TEST(Property09, NoticesThatTwoTokensSpanMore) {
    EXPECT_TRUE(falsifiable("two tokens", [] {
        std::vector<RationalMatrix> tokens;
        for (Index i = 0; i < 6; ++i) {
            tokens.push_back(draw_integers<Rational>(2, 2));
        }
        RC_ASSERT(rational_rank(feature_rows(tokens)) <= 4);
    }));
}

/// n tokens of one block of s rows with a single 1 each.
Matrix draw_one_hot(Index s, Index n) {
    Matrix Z = Matrix::Zero(s, n);
    for (Index t = 0; t < n; ++t) {
        Z(draw_index(0, s - 1), t) = 1.0;
    }
    return Z;
}

RC_GTEST_PROP(Property18, RowsOfOneBlockNeverMeet, ()) {
    const Matrix Z = draw_one_hot(draw_index(2, 4), draw_index(1, 5));
    const Matrix S = Z * Z.transpose();

    RC_ASSERT(same_bits(S, Matrix(S.diagonal().asDiagonal())));
}

TEST(Property18, NoticesATokenWithTwoSymbols) {
    EXPECT_TRUE(falsifiable("a second symbol in the first token", [] {
        Matrix Z = draw_one_hot(3, 2);
        Z(draw_index(0, 2), 0) = 1.0;
        const Matrix S = Z * Z.transpose();
        RC_ASSERT(same_bits(S, Matrix(S.diagonal().asDiagonal())));
    }));
}

}  // namespace
}  // namespace attest::test
