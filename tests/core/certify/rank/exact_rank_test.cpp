#include "core/certify/rank/exact_rank.hpp"

#include "core/certify/numerical/spectrum.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/certify/witness.hpp"
#include "core/data/sources/moments.hpp"
#include "core/exact/float_product.hpp"
#include "core/rng/sample.hpp"
#include "tests/reference/elimination.hpp"
#include "tests/reference/features.hpp"
#include "tests/support/audit_data.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>

namespace attest::test {

namespace {

/// N sequences of n grid-normal tokens.
Dataset grid_data(Index d, Index n, Index N) {
    return planted_dataset(Parameters{d, 1, {}}, N, n, Stream(7).child("exact_rank"));
}

/// ψ(d) + 2 examples of irregular doubles whose last three repeat earlier ones, scaled: rank ψ − 1.
Dataset repeated_irregular(Index d) {
    const Index psi = feature_dim(d);
    Dataset data;
    data.tokens.own().resize(d, 2 * (psi + 2));
    for (Index t = 0; t < data.tokens.cols(); ++t) {
        for (Index j = 0; j < d; ++j) {
            data.tokens.own()(j, t) = std::sin(static_cast<double>(1 + j + d * t));
        }
    }
    data.tokens.own().rightCols(6) = 0.125 * data.tokens.view().leftCols(6);
    for (Index i = 0; i <= psi + 2; ++i) {
        data.offsets.push_back(2 * i);
    }
    return data;
}

TEST(CertifyRank, SeeksNoNullVectorsForMinutesWhereNProvesTheRank) {
    const Dataset data = grid_data(20, 3, 540);  // 540² times 4200 − 540 products a prime

    const ExactRank rank = certify_rank(data);

    EXPECT_EQ(rank.verdict, RankVerdict::deficient);
    EXPECT_TRUE(rank.rank_is_exact());
    EXPECT_EQ(rank.rank_lower, 540);
    EXPECT_TRUE(rank.null_space.vectors.empty());
    EXPECT_NE(rank.reason.find("3660 null vectors not sought: they would prove nothing more"),
              std::string::npos)
        << rank.reason;
    const ExactRank fewer = certify_rank(grid_data(4, 3, 20));
    EXPECT_EQ(fewer.reason.find("not sought"), std::string::npos) << fewer.reason;
}

TEST(CertifyRank, ProvesTheUnimodularSixFullRank) {
    const Dataset data = unimodular_six();

    const ExactRank rank = certify_rank(data);

    EXPECT_EQ(rank.verdict, RankVerdict::full_rank);
    EXPECT_EQ(rank.rank_lower, 6);
    EXPECT_TRUE(rank.rank_is_exact());
    EXPECT_TRUE(rank.null_basis_is_complete());
    EXPECT_EQ(rank.reason, "a 6x6 minor is nonzero modulo 4194301");
    // The numbers behind it: |det H| = 1, det Λ = 6⁻⁶.
    const reference::Rows H = to_rows(integer_features(data));
    EXPECT_EQ(abs(reference::reference_determinant(H)), 1);
    EXPECT_EQ(reference::reference_determinant(reference::reference_second_moment(H)),
              Rational(1, 46656));
}

TEST(CertifyRank, ProvesTheDeficientFiveWithTheirNullVector) {
    const ExactRank rank = certify_rank(deficient_five());

    EXPECT_EQ(rank.verdict, RankVerdict::deficient);
    EXPECT_EQ(rank.rank_lower, 5);
    EXPECT_EQ(rank.rank_upper, 5);
    ASSERT_EQ(rank.null_space.vectors.size(), 1U);
    // S_11 z_2 − S_22 z_1 in the order (12,1) (12,2) (11,1) (11,2) (22,1) (22,2).
    IntegerVector v = IntegerVector::Zero(6);
    v(3) = 1;
    v(4) = -1;
    EXPECT_EQ(rank.null_space.vectors[0], v);
}

TEST(CertifyRank, ChangesItsVerdictWhenOneExampleOfTheSixIsDropped) {
    const ExactRank rank = certify_rank(subset(unimodular_six(), 0, 5));

    EXPECT_EQ(rank.verdict, RankVerdict::deficient);
    EXPECT_EQ(rank.rank_lower, 5);
    EXPECT_EQ(rank.reason.rfind("N = 5 < psi = 6; rank >= 5 by pivots modulo ", 0), 0U)
        << rank.reason;
}

/// Single-token data: S_jk z_l is symmetric in j, k, l, so only C(d+2,3) features differ.
class SingleTokens : public ::testing::TestWithParam<Index> {};

TEST_P(SingleTokens, HaveNullityDTimesDSquaredMinusOneOverThree) {
    const Index d = GetParam();
    const Index psi = feature_dim(d);

    const ExactRank rank = certify_rank(grid_data(d, 1, psi + 10));

    EXPECT_EQ(rank.rank_lower, (d + 2) * (d + 1) * d / 6);
    EXPECT_EQ(static_cast<Index>(rank.null_space.vectors.size()), d * (d * d - 1) / 3);
    EXPECT_TRUE(rank.null_basis_is_complete());
    EXPECT_TRUE(rank.rank_is_exact());
    EXPECT_EQ(rank.verdict, d == 1 ? RankVerdict::full_rank : RankVerdict::deficient);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, SingleTokens, ::testing::Values(1, 2, 3, 5, 8));

/// Gaussian data with n ≥ 2 and N = 4ψ, on the grid and as irregular doubles alike.
class ManyTokens : public ::testing::TestWithParam<std::pair<Index, Index>> {};

TEST_P(ManyTokens, AreProvedFullRank) {
    const auto [d, n] = GetParam();
    const Index psi = feature_dim(d);
    Dataset data = grid_data(d, n, 4 * psi);

    EXPECT_EQ(certify_rank(data).verdict, RankVerdict::full_rank);

    data.tokens.own() *= 0.1;  // leaves the grid: mantissas of 53 bits
    const ExactRank rank = certify_rank(data);
    EXPECT_EQ(rank.verdict, RankVerdict::full_rank);
    EXPECT_EQ(rank.profile.rank(), psi);
    EXPECT_EQ(static_cast<Index>(rank.profile.pivot_rows.size()), psi);
}

INSTANTIATE_TEST_SUITE_P(Shapes,
                         ManyTokens,
                         ::testing::Values(std::pair<Index, Index>{1, 2},
                                           std::pair<Index, Index>{2, 2},
                                           std::pair<Index, Index>{3, 2},
                                           std::pair<Index, Index>{5, 3},
                                           std::pair<Index, Index>{6, 16}));

RC_GTEST_PROP(CertifyRank, IsTheRankOverTheRationals, ()) {
    const Dataset data = draw_dataset(draw_index(1, 3), draw_index(1, 24));

    const ExactRank rank = certify_rank(data, {.null_vectors = NullVectors::all});

    const MatrixOf<Integer> H = integer_features(data);
    const auto expected = static_cast<Index>(reference::reference_rank(to_rows(H)));
    RC_ASSERT(rank.rank_lower == expected);
    RC_ASSERT(rank.rank_upper == expected);
    RC_ASSERT((rank.verdict == RankVerdict::full_rank) == (expected == rank.psi));
    RC_ASSERT((rank.verdict == RankVerdict::deficient) == (expected < rank.psi));
    for (const IntegerVector& v : rank.null_space.vectors) {
        RC_ASSERT(IntegerVector(H * v) == IntegerVector::Zero(H.rows()));
    }
}

TEST(CertifyRank, SeesFullRankWhereFloatingPointSeesNone) {
    // One example scaled by 2⁻⁶⁰: λ_min/λ_max is about 2⁻³⁶⁰.
    Dataset data = unimodular_six();
    data.tokens.own().rightCols(3) *= std::ldexp(1.0, -60);

    EXPECT_EQ(certify_rank(data).verdict, RankVerdict::full_rank);
}

TEST(CertifyRank, RefusesIrregularDoublesOfRankPsiMinusOneWithALongNullVector) {
    const Dataset data = repeated_irregular(2);

    const ExactRank rank = certify_rank(data);

    EXPECT_EQ(rank.verdict, RankVerdict::deficient);
    EXPECT_EQ(rank.rank_lower, 5);
    ASSERT_EQ(rank.null_space.vectors.size(), 1U);
    const MatrixOf<Integer> H = integer_features(data);
    EXPECT_EQ(IntegerVector(H * rank.null_space.vectors[0]), IntegerVector::Zero(8));
    EXPECT_GT(bit_length(rank.null_space.vectors[0].cwiseAbs().maxCoeff()), 500);
}

TEST(CertifyRank, NoticesOneBitOfDifference) {
    // The same data with one last bit changed in a repeated example: rank ψ again.
    Dataset data = repeated_irregular(2);
    double& entry = data.tokens.own()(0, data.tokens.cols() - 1);
    entry = std::nextafter(entry, 1.0);

    EXPECT_EQ(certify_rank(data).verdict, RankVerdict::full_rank);
}

TEST(CertifyRank, IsUndecidedWithAnEstimateWhenNullVectorsAreTooLong) {
    const ExactRank rank = certify_rank(repeated_irregular(3), {.lift = {.budget_seconds = 0.0}});

    EXPECT_EQ(rank.verdict, RankVerdict::undecided);
    EXPECT_EQ(rank.rank_lower, 17);
    EXPECT_EQ(rank.rank_upper, 18);
    EXPECT_TRUE(rank.null_space.vectors.empty());
    EXPECT_GT(rank.null_space.cost.entry_bits, 17.0 * 150.0);
    EXPECT_SAYS(rank.reason, "null vectors not found with 4 primes");
}

TEST(CertifyRank, IsNotDeceivedByAPrimeThatDividesTheFeatures) {
    // d = 1, Z = [p] with p the prime of the first pass: H = p³ vanishes modulo p, not over Q.
    const Dataset data = sequences({Matrix{{static_cast<double>(kFloatPrime)}}});

    const ExactRank rank = certify_rank(data);

    EXPECT_EQ(rank.verdict, RankVerdict::full_rank);
    EXPECT_EQ(rank.profile.prime, kDefaultPrime);
}

TEST(CertifyRank, LiftsOnlyAsManyNullVectorsAsAskedFor) {
    const Dataset data = grid_data(3, 1, 40);

    const ExactRank none = certify_rank(data, {.null_vectors = NullVectors::none});
    const ExactRank one = certify_rank(data, {.null_vectors = NullVectors::one});

    EXPECT_EQ(none.verdict, RankVerdict::undecided);
    EXPECT_EQ(one.verdict, RankVerdict::deficient);
    EXPECT_EQ(one.null_space.vectors.size(), 1U);
    EXPECT_EQ(one.rank_upper, 17);
}

TEST(CertifyRank, OfZeroTokensIsZero) {
    const ExactRank rank = certify_rank(sequences({Matrix::Zero(2, 3), Matrix::Zero(2, 1)}));

    EXPECT_EQ(rank.verdict, RankVerdict::deficient);
    EXPECT_EQ(rank.rank_upper, 0);
    EXPECT_EQ(rank.null_space.vectors.size(), 6U);
}

TEST(CertifyRank, RefusesNanAndTooLittleMemory) {
    const Dataset nan = sequences({Matrix{{1, std::nan("")}}});
    EXPECT_REFUSED("dyadic: got nan", certify_rank(nan));

    ASSERT_EQ(setenv("ATTEST_MEMORY_LIMIT", "1000", 1), 0);
    EXPECT_THROW((void)certify_rank(unimodular_six()), EnvironmentFailure);
    EXPECT_THROW((void)integer_features(unimodular_six()), EnvironmentFailure);
    ASSERT_EQ(unsetenv("ATTEST_MEMORY_LIMIT"), 0);
}

TEST(RankVerdict, HasItsNames) {
    EXPECT_EQ(to_string(RankVerdict::full_rank), "full_rank");
    EXPECT_EQ(to_string(RankVerdict::deficient), "deficient");
    EXPECT_EQ(to_string(RankVerdict::undecided), "undecided");
}

// Data whose rank floating point cannot see: the exact level decides, the numerical level must not.

NumericalSpectrum seen(const Dataset& data) {
    return numerical_spectrum(triangular_factor(DatasetSource(data)));
}

/// Gaussian query tokens, each after one token of size 2⁻³⁰: nearly n = 1, where the rank is
/// C(d+2,3).
Dataset nearly_single_tokens(Index d, Index N) {
    const Stream stream = Stream(11).child(d);
    Dataset data;
    data.tokens = grid_matrix(grid_normal(), d, 2 * N, stream);
    data.offsets.push_back(0);
    for (Index i = 0; i < N; ++i) {
        data.tokens.own().col(2 * i) *= 0x1p-30;
        data.offsets.push_back(2 * i + 2);
    }
    return data;
}

/// Points of the circle x² + y² = t·x. Two tokens (u, v), (p, q) with p² + u² = t·p and
/// q² + v² = t·q satisfy S_11 z_2 = S_22 z_1, so these integer data have rank 5 of 6. Their
/// features have 70 bits and more: none is a double.
Dataset on_circles(Index N) {
    Dataset data;
    data.tokens.own().resize(2, 2 * N);
    data.offsets.push_back(0);
    const Matrix draws = grid_matrix(grid_normal(), 5, N, Stream(12));
    for (Index i = 0; i < N; ++i) {
        const auto whole = [&](Index row) {
            return 1.0 + std::floor(20.0 * std::abs(draws(row, i)));
        };
        const double a = whole(0);
        const double b = whole(1);
        const double e = whole(2);
        const double f = whole(3);
        const double scale = 1001.0 + 2.0 * whole(4);
        const double sign = draws(0, i) < 0.0 ? -1.0 : 1.0;
        const double first = scale * (e * e + f * f);
        const double second = scale * (a * a + b * b);
        data.tokens.own().col(2 * i) << first * a * b, sign * second * e * f;
        data.tokens.own().col(2 * i + 1) << first * a * a, second * e * e;
        data.offsets.push_back(2 * i + 2);
    }
    return data;
}

/// An eigenvalue this small beside the largest is lost in double precision, whose u is 1e-16.
constexpr double kInvisible = 1e-20;

TEST(HardRank, IsProvedFullWhereTheSpectrumLooksSingular) {
    for (const Index d : {2, 3, 4}) {
        const Dataset data = nearly_single_tokens(d, 3 * feature_dim(d));

        const NumericalSpectrum spectrum = seen(data);
        const ExactRank rank = certify_rank(data);

        EXPECT_LT(spectrum.lambda_min, kInvisible * spectrum.lambda_max);
        EXPECT_GT(spectrum.nullity(), 0) << "the numerical level must not say full rank";
        EXPECT_EQ(rank.verdict, RankVerdict::full_rank);
        EXPECT_EQ(rank.rank_lower, feature_dim(d));
    }
}

TEST(HardRank, IsRefusedWithANullVectorWhereRoundingHidesTheDependence) {
    const Dataset data = on_circles(40);

    const NumericalSpectrum spectrum = seen(data);
    const ExactRank rank = certify_rank(data);

    EXPECT_GT(spectrum.lambda_min, 0.0) << "rounding leaves something";
    EXPECT_EQ(spectrum.nullity(), 1) << "the numerical level must not say full rank";
    EXPECT_EQ(rank.verdict, RankVerdict::deficient);
    EXPECT_EQ(rank.rank_lower, 5);
    ASSERT_EQ(rank.null_space.vectors.size(), 1U);
    EXPECT_EQ(describe_combination(rank.null_space.vectors.front(), 2), "S_11 z_2 - S_22 z_1");
}

TEST(HardRank, IsFullOnceOneEntryOfTheDependentDataMovesByOneUnit) {
    Dataset data = on_circles(40);
    double& entry = data.tokens.own()(0, 0);
    entry = std::nextafter(entry, 2.0 * entry);

    EXPECT_EQ(certify_rank(data).verdict, RankVerdict::full_rank);
    EXPECT_EQ(seen(data).nullity(), 1) << "floating point cannot tell";
}

}  // namespace

}  // namespace attest::test
