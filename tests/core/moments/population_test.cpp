#include "core/moments/population.hpp"

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

}  // namespace
}  // namespace attest
