#include "core/exact/lift.hpp"

#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {

namespace {

/// An integer of up to `words` 64-bit words, either sign.
Integer draw_integer(Index words) {
    Integer value = 0;
    for (Index w = 0; w < words; ++w) {
        value = (value << 64) + Integer(*rc::gen::arbitrary<std::uint64_t>());
    }
    return *rc::gen::arbitrary<bool>() ? Integer(-value) : value;
}

/// The residues of the vector of fractions numerators/denominator modulo the first `count` primes
/// below 2⁶¹.
ResidueVector residues_of(const IntegerVector& numerators,
                          const Integer& denominator,
                          Index count) {
    ResidueVector known;
    std::uint64_t bound = kDefaultPrime + 1;
    for (Index k = 0; k < count; ++k) {
        bound = previous_prime(bound);
        const Modulus p(bound);
        std::vector<Residue> residues;
        for (const Integer& numerator : numerators) {
            residues.push_back(p.multiply(p.reduce(numerator), p.inverse(p.reduce(denominator))));
        }
        known = combine(std::move(known), p, residues);
    }
    return known;
}

TEST(Reconstruct, FindsTwoThirdsModulo101) {
    // 2/3 ≡ 2·34 = 68 modulo 101.
    EXPECT_EQ(reconstruct(Integer(68), Integer(101)), Rational(2, 3));
    EXPECT_EQ(reconstruct(Integer(0), Integer(101)), Rational(0));
    EXPECT_EQ(reconstruct(Integer(100), Integer(101)), Rational(-1));
}

TEST(Reconstruct, HasNoValueWhereNoFractionIsSmallEnough) {
    // Bound 7: the 95 fractions with |a|, b ≤ 7 leave some residues modulo 101 without one.
    EXPECT_EQ(reconstruct(Integer(12), Integer(101)), std::nullopt);
}

RC_GTEST_PROP(Reconstruct, InvertsReductionWithinTheBound, ()) {
    const Integer modulus(kDefaultPrime);
    const Modulus p;
    const Integer a = draw_index(-1000000000, 1000000000);
    const Integer b = draw_index(1, 1000000000);

    const Residue residue = p.multiply(p.reduce(a), p.inverse(p.reduce(b)));

    RC_ASSERT(reconstruct(Integer(residue), modulus) == Rational(a, b));
}

RC_GTEST_PROP(Combine, GivesTheOnlyResidueThatAgreesWithEveryPrime, ()) {
    const Integer value = draw_integer(3);
    const ResidueVector known = residues_of(IntegerVector::Constant(1, value), Integer(1), 5);

    RC_ASSERT(known.values[0] >= 0 && known.values[0] < known.modulus);
    RC_ASSERT((known.values[0] - value) % known.modulus == 0);
}

RC_GTEST_PROP(Merge, EqualsCombiningPrimeByPrime, ()) {
    const IntegerVector v{{draw_integer(3), draw_integer(3), draw_integer(1)}};
    const ResidueVector all = residues_of(v, Integer(7), 6);
    ResidueVector early = residues_of(v, Integer(7), 4);
    ResidueVector late;
    std::uint64_t bound = kDefaultPrime + 1;
    for (Index k = 0; k < 6; ++k) {
        bound = previous_prime(bound);
        if (k >= 4) {
            const Modulus p(bound);
            std::vector<Residue> residues;
            for (const Integer& value : all.values) {
                residues.push_back(p.reduce(value));
            }
            late = combine(std::move(late), p, residues);
        }
    }

    const ResidueVector merged = merge(std::move(early), late);

    RC_ASSERT(merged.modulus == all.modulus);
    RC_ASSERT(merged.values == all.values);
}

RC_GTEST_PROP(ReconstructPrimitive, RecoversAVectorOfFractionsUpToAFactor, ()) {
    IntegerVector numerators(4);
    for (Integer& entry : numerators) {
        entry = draw_integer(draw_index(0, 2));
    }
    const Integer denominator = abs(draw_integer(2)) + 1;
    IntegerVector with_one(5);
    with_one << numerators, denominator;
    const ResidueVector known = residues_of(with_one, denominator, 6);

    const std::optional<IntegerVector> found = reconstruct_primitive(known);

    RC_ASSERT(found.has_value());
    RC_ASSERT(*found == primitive(with_one));
    RC_ASSERT(reconstruct_primitive(known, denominator) == found);
    // A wrong guess costs time, not correctness.
    RC_ASSERT(reconstruct_primitive(known, Integer(denominator + 2)) == found);
}

TEST(ReconstructPrimitive, HasNoValueWithTooFewPrimes) {
    const Integer large = (Integer(1) << 200) + 1;
    const IntegerVector v{{large, Integer(large * large + 5), Integer(large + 6), Integer(1)}};

    EXPECT_FALSE(reconstruct_primitive(residues_of(v, Integer(1), 2)).has_value());
    EXPECT_EQ(reconstruct_primitive(residues_of(v, Integer(1), 16)), primitive(v));
}

TEST(Primitive, DividesByTheGreatestCommonDivisorAndFixesTheSign) {
    EXPECT_EQ(primitive(IntegerVector{{Integer(0), Integer(-6), Integer(9)}}),
              (IntegerVector{{Integer(0), Integer(2), Integer(-3)}}));
    EXPECT_EQ(primitive(IntegerVector::Zero(2)), IntegerVector::Zero(2));
}

TEST(Lift, NamesVectorsThatDoNotFit) {
    const ResidueVector two = residues_of(IntegerVector::Constant(2, Integer(1)), Integer(1), 1);
    const ResidueVector three = residues_of(IntegerVector::Constant(3, Integer(1)), Integer(1), 1);

    EXPECT_REFUSED("combine: got 1 residues", combine(two, Modulus(7), {1}));
    EXPECT_REFUSED("merge: the vectors differ in length", merge(two, three));
    EXPECT_REFUSED("merge: the moduli are not coprime", merge(two, two));
    EXPECT_REFUSED("reconstruct: the modulus must exceed 1", reconstruct(Integer(0), Integer(1)));
}

}  // namespace

}  // namespace attest::test
