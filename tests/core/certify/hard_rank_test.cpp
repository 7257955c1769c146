#include "core/certify/numerical/spectrum.hpp"
#include "core/certify/rank/exact_rank.hpp"
#include "core/certify/witness.hpp"
#include "core/data/sources/moments.hpp"
#include "core/rng/sample.hpp"
#include "tests/support/audit_data.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

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
}  // namespace attest
