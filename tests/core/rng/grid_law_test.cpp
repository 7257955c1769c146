#include "core/rng/grid_law.hpp"

#include "core/base/bitwise.hpp"
#include "core/exact/scalars.hpp"
#include "core/rng/sample.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {
namespace {

constexpr std::uint64_t kQuarter = std::uint64_t{1} << 62U;

GridLaw three_atoms() {
    return {"test", 1, {{-3, kQuarter}, {1, kQuarter}, {2, 2 * kQuarter}}};
}

TEST(GridLaw, WordsBelowTheCumulativeWeightMeetTheAtom) {
    const GridLaw law = three_atoms();

    EXPECT_TRUE(bitwise_equal(law.value(0), -1.5));
    EXPECT_TRUE(bitwise_equal(law.value(kQuarter - 1), -1.5));
    EXPECT_TRUE(bitwise_equal(law.value(kQuarter), 0.5));
    EXPECT_TRUE(bitwise_equal(law.value(2 * kQuarter), 1.0));
    EXPECT_TRUE(bitwise_equal(law.value(~std::uint64_t{0}), 1.0));
}

TEST(GridLaw, MomentsAreExact) {
    const GridLaw law = three_atoms();

    EXPECT_EQ(law.moment<Rational>(0), Rational(1));
    EXPECT_EQ(law.moment<Rational>(1), Rational(1, 4));    // (−3/2 + 1/2)/4 + 1/2
    EXPECT_EQ(law.moment<Rational>(2), Rational(9, 8));    // (9/4 + 1/4)/4 + 1/2
    EXPECT_EQ(law.moment<Rational>(3), Rational(-5, 16));  // (−27/8 + 1/8)/4 + 1/2
}

TEST(GridLaw, ShiftMovesTheMeanAndKeepsTheVariance) {
    const GridLaw law = three_atoms();
    const GridLaw moved = law.shifted(2.5);

    const auto mean = law.moment<Rational>(1);
    const auto moved_mean = moved.moment<Rational>(1);
    EXPECT_EQ(moved_mean, mean + Rational(5, 2));
    EXPECT_EQ(moved.moment<Rational>(2) - moved_mean * moved_mean,
              law.moment<Rational>(2) - mean * mean);
    EXPECT_EQ(moved.name(), "test+2.5");
    EXPECT_EQ(moved.largest(), 7);
}

TEST(GridLaw, ShiftRefinesTheGridAsFarAsNeeded) {
    const GridLaw moved = rademacher().shifted(0.375);

    EXPECT_EQ(moved.bits(), 3);
    EXPECT_TRUE(bitwise_equal(moved.value(0), -0.625));
    EXPECT_EQ(moved.moment<Rational>(1), Rational(3, 8));
    EXPECT_REFUSED("grid law rademacher: got shift 0.1", rademacher().shifted(0.1));
}

TEST(GridLaw, ScalingByAPowerOfTwoMovesTheGridOnly) {
    const GridLaw halved = grid_normal().scaled(0.5);

    EXPECT_EQ(halved.bits(), 11);
    EXPECT_EQ(halved.largest(), 8192);
    EXPECT_EQ(halved.moment<Rational>(2), grid_normal().moment<Rational>(2) / 4);
    EXPECT_EQ(rademacher().scaled(4.0).largest(), 4);
}

TEST(GridLaw, ScalingRoundsTheNumeratorsToTheNewGrid) {
    const GridLaw law = three_atoms().scaled(0.75);  // ±k/2·(3/4) = 3k/8; on multiples of 1/4

    EXPECT_EQ(law.bits(), 2);
    EXPECT_TRUE(bitwise_equal(law.value(0), -1.25));       // −9/8 → −5/4, away from zero
    EXPECT_TRUE(bitwise_equal(law.value(kQuarter), 0.5));  // 3/8 → 1/2
    EXPECT_TRUE(bitwise_equal(law.value(2 * kQuarter), 0.75));
    EXPECT_EQ(law.name(), "test*0.75");
}

TEST(GridLaw, RefusesFactorsOutOfRange) {
    EXPECT_REFUSED("grid law test: got factor 0", three_atoms().scaled(0.0));
    EXPECT_REFUSED("grid law test*9.094947017729282e-13: got 2^-41", three_atoms().scaled(0x1p-40));
}

TEST(GridLaw, LongestExactSequenceFollowsFromTheLargestNumerator) {
    EXPECT_EQ(grid_normal().exact_feature_length(), 16384);
    EXPECT_EQ(grid_laplace().exact_feature_length(), 2048);
    EXPECT_EQ(rademacher().exact_feature_length(), Index{1} << 53);
    EXPECT_EQ(rademacher().shifted(0x1p20).exact_feature_length(), 0);
}

TEST(GridLaw, AtomsReadBackWithoutThoseOfWeightZero) {
    const GridLaw law("test", 0, {{0, 0}, {1, 2 * kQuarter}, {2, 0}, {3, 2 * kQuarter}});

    const std::vector<GridLaw::Atom> atoms = law.atoms();

    ASSERT_EQ(atoms.size(), 2U);
    EXPECT_EQ(atoms[0].numerator, 1);
    EXPECT_EQ(atoms[1].numerator, 3);
    EXPECT_EQ(atoms[0].weight, 2 * kQuarter);
    EXPECT_EQ(atoms[1].weight, 2 * kQuarter);
}

TEST(GridLaw, RefusesTablesThatAreNoLaw) {
    const auto message = [](Index bits, const std::vector<GridLaw::Atom>& atoms) {
        return invalid_input_message([&] { return GridLaw("t", bits, atoms); });
    };

    EXPECT_EQ(message(41, {{0, 1}, {1, ~std::uint64_t{0}}}),
              "grid law t: got 2^-41, expected a grid of 2^0 to 2^-40");
    EXPECT_EQ(message(0, {{1, 1}, {1, ~std::uint64_t{0}}}),
              "grid law t: the atoms are not ascending");
    EXPECT_EQ(message(0, {{0, 2}, {1, ~std::uint64_t{0}}}), "grid law t: the weights exceed 2^64");
    EXPECT_SAYS(message(0, {{0, 1}, {1, 1}}),
                "grid law t: the weights do not sum to 2^64 over two or more atoms");
    EXPECT_SAYS(message(0, {{0, 1}, {(Index{1} << 53) + 1, ~std::uint64_t{0}}}),
                "grid law t: got numerator 9007199254740993");
}

// The guide table only shortens the search: the answer is that of a walk along the atoms.
RC_GTEST_PROP(GridLaw, EveryWordMeetsTheAtomAWalkFinds, (std::uint64_t seed)) {
    const std::uint64_t word = Stream(seed).at(0);
    const GridLaw* chosen = *rc::gen::element(&grid_normal(), &grid_laplace(), &grid_uniform());
    const GridLaw& law = *chosen;
    std::uint64_t left = word;
    double expected = 0.0;
    for (const GridLaw::Atom& atom : law.atoms()) {
        if (left < atom.weight) {
            expected =
                static_cast<double>(atom.numerator) / static_cast<double>(Index{1} << law.bits());
            break;
        }
        left -= atom.weight;
    }

    RC_ASSERT(bitwise_equal(law.value(word), expected));
}

}  // namespace
}  // namespace attest::test
