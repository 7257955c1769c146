#include "core/rng/sample.hpp"

#include "core/base/bitwise.hpp"
#include "core/exact/reals.hpp"
#include "core/exact/scalars.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace attest {
namespace {

/// Whether every weight is within 2 of 2⁶⁴·density(|z|)/Σ density, computed with 50 digits and
/// library functions.
template <class Density>
testing::AssertionResult weights_follow(const GridLaw& law, const Density& density) {
    std::vector<Real50> masses;
    Real50 total = 0;
    for (const GridLaw::Atom& atom : law.atoms()) {
        masses.push_back(density(Real50(atom.numerator) / Real50(Index{1} << law.bits())));
        total += masses.back();
    }
    std::size_t i = 0;
    for (const GridLaw::Atom& atom : law.atoms()) {
        const Real50 expected = masses[i++] / total * Real50("18446744073709551616");
        if (abs(expected - Real50(atom.weight)) > 2) {
            return testing::AssertionFailure() << "atom " << atom.numerator << " weighs "
                                               << atom.weight << ", not " << expected;
        }
    }
    return testing::AssertionSuccess();
}

TEST(GridNormal, WeightsFollowTheGaussianDensity) {
    const auto density = [](const Real50& z) -> Real50 { return exp(-z * z / 2); };

    EXPECT_EQ(grid_normal().atoms().size(), 2 * 8192 + 1U);
    EXPECT_TRUE(weights_follow(grid_normal(), density));
}

TEST(GridNormal, WeightsDoNotFollowASlightlyWiderDensity) {
    const auto wider = [](const Real50& z) -> Real50 {
        return exp(-z * z / Real50("2.000000000000001"));
    };

    EXPECT_FALSE(weights_follow(grid_normal(), wider));
}

TEST(GridLaplace, WeightsFollowTheExponentialDensity) {
    const auto density = [](const Real50& z) -> Real50 { return exp(-abs(z)); };

    EXPECT_EQ(grid_laplace().atoms().size(), 2 * 16384 + 1U);
    EXPECT_TRUE(weights_follow(grid_laplace(), density));
}

TEST(GridNormal, OddMomentsVanishAndEvenOnesMissTheNormalLawsByTheTailBeyond8) {
    const GridLaw& law = grid_normal();

    for (const Index odd : {1, 3, 5}) {
        EXPECT_EQ(law.moment<Rational>(odd), Rational(0));
    }
    // ∫_{|z|>8} zᵐ φ(z) dz ≤ 2·(8^(m−1) + (m−1)·8^(m−3) + …)·φ(8), φ(8) < 5.06e-15; weights are
    // rounded to 2⁻⁶⁴.
    const auto tail = [](int polynomial) {
        return Rational(2 * polynomial, 1) * Rational(506, 1) /
               (Rational(1000000000) * Rational(100000000));
    };
    const auto miss = [&](Index order, int normal) {
        return abs(law.moment<Rational>(order) - Rational(normal));
    };
    EXPECT_LT(miss(2, 1), 2 * tail(9));
    EXPECT_LT(miss(4, 3), 2 * tail(512 + 24 + 3));
    EXPECT_LT(miss(6, 15), 2 * tail(32768 + 2560 + 120 + 15));
}

TEST(GridUniform, HasTheMomentsOfOddNumeratorsBelow2048) {
    // E[k²] over odd |k| < n is (n² − 1)/3; here n = 2048 and z = k/2048.
    const Rational n2 = Rational(Index{1} << 22);

    EXPECT_EQ(grid_uniform().moment<Rational>(2), (n2 - 1) / 3 / n2);
    EXPECT_EQ(grid_uniform().moment<Rational>(4), (n2 - 1) * (3 * n2 - 7) / 15 / (n2 * n2));
    EXPECT_EQ(grid_uniform().moment<Rational>(5), Rational(0));
}

TEST(SmallLaws, HaveTheirTextbookMoments) {
    const std::uint64_t quarter = probability_weight(0.25);
    const GridLaw bent = three_point(quarter);

    EXPECT_EQ(bent.moment<Rational>(2), Rational(3, 4));
    EXPECT_EQ(bent.moment<Rational>(3), Rational(0));
    EXPECT_EQ(bent.moment<Rational>(6), Rational(3, 4));
    EXPECT_EQ(rademacher().moment<Rational>(1), Rational(0));
    EXPECT_EQ(rademacher().moment<Rational>(4), Rational(1));
    EXPECT_EQ(bernoulli(quarter).moment<Rational>(1), Rational(1, 4));
    EXPECT_EQ(bernoulli(quarter).moment<Rational>(6), Rational(1, 4));
}

TEST(SmallLaws, RefuseProbabilitiesTheyCannotHave) {
    EXPECT_REFUSED("three_point: got weight 3 of 0", three_point(3));
    EXPECT_REFUSED("bernoulli: got weight 0 of 1", bernoulli(0));
    EXPECT_REFUSED("probability: got 1", probability_weight(1.0));
    EXPECT_REFUSED("probability: got 0", probability_weight(0.0));
}

RC_GTEST_PROP(GridMatrix, FewerColumnsAreAPrefix, (std::uint64_t seed)) {
    const auto rows = *rc::gen::inRange<Index>(1, 6);
    const auto cols = *rc::gen::inRange<Index>(0, 6);
    const Stream stream(seed);

    const Matrix longer = grid_matrix(grid_normal(), rows, cols + 2, stream);

    RC_ASSERT(grid_matrix(grid_normal(), rows, cols, stream) == longer.leftCols(cols));
    RC_ASSERT(bitwise_equal(longer(0, 1), grid_normal().value(stream.at(rows))));
}

RC_GTEST_PROP(RandomPermutation, IsAPermutation, (std::uint64_t seed)) {
    const auto n = *rc::gen::inRange<Index>(0, 50);

    std::vector<Index> order = random_permutation(n, Stream(seed));
    std::sort(order.begin(), order.end());

    RC_ASSERT(static_cast<Index>(order.size()) == n);
    for (Index i = 0; i < n; ++i) {
        RC_ASSERT(order[static_cast<std::size_t>(i)] == i);
    }
}

TEST(RandomPermutation, RefusesANegativeSize) {
    EXPECT_REFUSED("random_permutation: got -1 elements", random_permutation(-1, Stream(0)));
}

}  // namespace
}  // namespace attest
