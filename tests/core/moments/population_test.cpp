#include "core/moments/population.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/base/shape.hpp"
#include "core/features/cubic.hpp"
#include "core/rng/sample.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

/// −1, 0, 1 with weights 1/4, 1/2, 1/4.
EntryMoments three_points() {
    return moments_of(three_point(probability_weight(0.5)));
}

TEST(Population, MomentsOfAGridLawAreItsOwn) {
    const EntryMoments signs = moments_of(rademacher());

    EXPECT_EQ(signs.m, (std::vector<Rational>{1, 0, 1, 0, 1, 0, 1}));
    EXPECT_EQ(signs.kappa(), 0);
    EXPECT_EQ(three_points().kappa(), Rational(1, 4));
    EXPECT_EQ(three_points().variance(), Rational(1, 2));
}

TEST(Population, IndependentEntriesFactorAndEqualOnesGiveAMoment) {
    const EntryMoments law = three_points();

    EXPECT_EQ(product_moment(law, {}), 1);
    EXPECT_EQ(product_moment(law, {{0, 0}, {0, 0}, {0, 1}, {0, 1}}), Rational(1, 4));
    EXPECT_EQ(product_moment(law, {{0, 0}, {0, 0}, {0, 0}, {0, 0}}), Rational(1, 2));
    EXPECT_EQ(product_moment(law, {{0, 0}, {1, 0}}), 0);
}

TEST(Population, OneRowByHand) {
    // d = 1, signs: S = n and z² = 1, so E[S² z²] = n².
    EXPECT_EQ(population_second_moment(moments_of(rademacher()), 1, 5)(0, 0), 25);
}

TEST(Population, IsTheMeanOverAllMatricesOfAFiniteLaw) {
    MatrixOf<Rational> mean = MatrixOf<Rational>::Zero(feature_dim(2), feature_dim(2));
    for (Index code = 0; code < 81; ++code) {
        MatrixOf<Rational> Z(2, 2);
        Rational weight = 1;
        for (Index i = 0, rest = code; i < 4; ++i, rest /= 3) {
            Z(i) = Rational(rest % 3 - 1);
            weight *= rest % 3 == 1 ? Rational(1, 2) : Rational(1, 4);
        }
        const VectorOf<Rational> h = cubic_features<Rational>(Z);
        mean += weight * h * h.transpose();
    }
    EntryMoments wrong = three_points();
    wrong.m[6] += Rational(1, 8);

    EXPECT_EQ(population_second_moment(three_points(), 2, 2), mean);
    EXPECT_NE(population_second_moment(wrong, 2, 2), mean);
}

/// The coefficients of S_jk z_l at d = 3, rows counted from 0.
VectorOf<Rational> feature(Index j, Index k, Index l) {
    VectorOf<Rational> c = VectorOf<Rational>::Zero(feature_dim(3));
    c(pack_index(3, j, k) * 3 + l) = 1;
    return c;
}

TEST(Population, OfASymmetricLawMapsTwoFunctionsToThemselves) {
    // f = (S_00 − S_11) z_2 and g = S_02 z_0 − S_12 z_1: Λ f = m2(nκ f + κ g),
    // Λ g = m2(κ f + (κ + (n−1)m2²) g), of which docs/sample-complexity.md takes the eigenvalues.
    const VectorOf<Rational> f = feature(0, 0, 2) - feature(1, 1, 2);
    const VectorOf<Rational> g = feature(0, 2, 0) - feature(1, 2, 1);
    for (const GridLaw* law : {&grid_uniform(), &grid_laplace()}) {
        const EntryMoments moments = moments_of(*law);
        const Rational m2 = moments.m[2];
        const Rational kappa = moments.kappa();
        for (Index n = 1; n <= 4; ++n) {
            const MatrixOf<Rational> Lambda = population_second_moment(moments, 3, n);
            const Rational last = kappa + Rational(n - 1) * m2 * m2;

            EXPECT_EQ(Lambda * f, m2 * (Rational(n) * kappa * f + kappa * g)) << law->name();
            EXPECT_EQ(Lambda * g, m2 * (kappa * f + last * g)) << law->name();
            EXPECT_NE(Lambda * f, m2 * Rational(n) * kappa * f) << "without g";
        }
    }
}

}  // namespace
}  // namespace attest
