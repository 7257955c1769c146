#include "core/exact/null_space.hpp"

#include "core/exact/annihilation.hpp"
#include "tests/reference/elimination.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/modular_draws.hpp"
#include "tests/support/plain_rows.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {
namespace {

using IntegerMatrix = MatrixOf<Integer>;

IntegerNullSpace whole_null_space(const PlainRows& rows) {
    const RankProfile profile = rank_profile(Modulus(), rows);
    return lift_null_space(rows, profile, other_columns(profile.pivot_columns, rows.num_columns()));
}

/// A square matrix of `size` with entries of 64 bits and a last column that depends on the others:
/// its null vector has entries of about 64·size bits.
IntegerMatrix singular_with_long_entries(Index size) {
    const ModularMatrix residues = filled_matrix(Modulus(), size, size - 1, 9);
    IntegerMatrix A(size, size);
    for (Index i = 0; i < size; ++i) {
        for (Index j = 0; j + 1 < size; ++j) {
            A(i, j) = Integer(residues(i, j));
        }
        A(i, size - 1) = i + 1 < size ? Integer(i * i + 1) : Integer(0);
    }
    // The last row is the sum of the others, so rank = size − 1 whatever the last column is.
    for (Index i = 0; i + 1 < size; ++i) {
        A.row(size - 1) =
            i == 0 ? IntegerMatrix(A.row(0)) : IntegerMatrix(A.row(size - 1) + A.row(i));
    }
    return A;
}

TEST(LiftNullSpace, FindsAHandExample) {
    IntegerMatrix A(2, 3);
    A << 2, 4, 6, 1, 1, 1;

    const IntegerNullSpace found = whole_null_space(PlainRows(A));

    // x + 2y + 3z = 0 and x + y + z = 0: (1, −2, 1).
    ASSERT_EQ(found.vectors.size(), 1U);
    EXPECT_EQ(found.vectors[0], (IntegerVector{{Integer(1), Integer(-2), Integer(1)}}));
    EXPECT_EQ(found.free_columns, (std::vector<Index>{2}));
    EXPECT_EQ(found.primes_used, 1);
    EXPECT_TRUE(found.note.empty());
}

RC_GTEST_PROP(LiftNullSpace, SpansTheRationalNullSpace, ()) {
    const Index cols = draw_index(1, 6);
    const PlainRows rows(draw_low_rank(draw_index(1, 7), cols, draw_index(1, 4)));

    const IntegerNullSpace found = whole_null_space(rows);

    const reference::Rows expected = reference::reference_null_space(to_rows(rows.matrix()));
    reference::Rows both = expected;
    for (const IntegerVector& v : found.vectors) {
        RC_ASSERT(IntegerVector(rows.matrix() * v) == IntegerVector::Zero(rows.num_rows()));
        both.push_back(to_row<Integer>(v));
    }
    RC_ASSERT(found.vectors.size() == expected.size());
    RC_ASSERT(both.empty() || reference::reference_rank(both) == expected.size());
}

TEST(LiftNullSpace, UsesAsManyPrimesAsLongEntriesNeed) {
    const PlainRows rows(singular_with_long_entries(12));

    const IntegerNullSpace found = whole_null_space(rows);

    ASSERT_EQ(found.vectors.size(), 1U);
    EXPECT_EQ(IntegerVector(rows.matrix() * found.vectors[0]), IntegerVector::Zero(12));
    EXPECT_GT(found.primes_used, 12);
    EXPECT_LE(found.primes_used, found.cost.primes);
}

TEST(LiftNullSpace, SaysWhatItWouldCostWhenTheBudgetIsTooSmall) {
    const PlainRows rows(singular_with_long_entries(12));
    const RankProfile profile = rank_profile(Modulus(), rows);

    const IntegerNullSpace found = lift_null_space(
        rows, profile, other_columns(profile.pivot_columns, 12), {.budget_seconds = 0.0});

    EXPECT_TRUE(found.vectors.empty());
    EXPECT_EQ(found.primes_used, 4);
    EXPECT_EQ(found.note.rfind("1 null vectors not found with 4 primes; entries may have ", 0), 0U)
        << found.note;
}

TEST(LiftNullSpace, NoticesARankThatThePrimeDidNotShow) {
    // Determinant 7·13: rank 1 modulo 7, rank 2 over Q.
    IntegerMatrix A(2, 2);
    A << 1, 2, 3, 97;
    const PlainRows rows(A);
    const RankProfile profile = rank_profile(Modulus(7), rows);
    ASSERT_EQ(profile.rank(), 1);

    const IntegerNullSpace found = lift_null_space(rows, profile, {1});

    EXPECT_TRUE(found.vectors.empty());
    EXPECT_EQ(found.note,
              "1 null vectors not found with 1 primes; the rank over Q exceeds the rank modulo the "
              "prime of the profile");
}

TEST(LiftCost, BoundsTheEntriesByHadamard) {
    // Rank 3, entries below 2¹⁰: 3·(10 + log₂(3)/2) + 1 = 33.4 bits, so 67.8 bits of modulus.
    IntegerMatrix A = IntegerMatrix::Constant(5, 5, Integer(1000));

    const LiftCost cost = lift_cost(PlainRows(A), 3, 2);

    EXPECT_GT(cost.entry_bits, 33.0);
    EXPECT_LT(cost.entry_bits, 34.0);
    EXPECT_EQ(cost.primes, 2);
    EXPECT_GT(cost.seconds, 0.0);
}

RC_GTEST_PROP(RankProfile, IsTheRankOverTheRationalsWithARegularMinor, ()) {
    const PlainRows rows(draw_low_rank(draw_index(1, 7), draw_index(1, 6), draw_index(1, 4)));

    const RankProfile profile = rank_profile(Modulus(), rows);

    RC_ASSERT(profile.rank() ==
              static_cast<Index>(reference::reference_rank(to_rows(rows.matrix()))));
    const ModularMatrix minor =
        select_columns(select_rows(Modulus(), rows, profile.pivot_rows), profile.pivot_columns);
    RC_ASSERT(rank(Modulus(), minor) == profile.rank());
}

RC_GTEST_PROP(SelectRows, TakesRowsInTheOrderAskedFor, ()) {
    const PlainRows rows(draw_integers<Integer>(draw_index(1, 9), 2));
    std::vector<Index> numbers;
    for (Index k = draw_index(0, 5); k > 0; --k) {
        numbers.push_back(draw_index(0, rows.num_rows() - 1));
    }

    const ModularMatrix selected = select_rows(Modulus(), rows, numbers);

    const ModularMatrix all = reduce(Modulus(), rows.matrix());
    RC_ASSERT(selected == select_rows(all, numbers));
}

RC_GTEST_PROP(FirstNonzeroProduct, AgreesWithBigIntegerProducts, ()) {
    const PlainRows rows(draw_integers<Integer>(draw_index(1, 6), 3));
    std::vector<IntegerVector> vectors;
    for (Index k = draw_index(0, 3); k > 0; --k) {
        // Half of them huge, and multiples of the first prime: zero modulo it, not over Z.
        const Integer factor = *rc::gen::arbitrary<bool>() ? Integer(1) : Integer(kDefaultPrime);
        vectors.emplace_back(draw_integers<Integer>(3, 1) * factor);
    }

    const std::vector<Index> first = first_nonzero_product(rows, vectors);
    const std::vector<bool> zero = annihilates_all(rows, vectors);

    std::vector<bool> expected_zero(vectors.size(), true);
    for (Index i = 0; i < rows.num_rows(); ++i) {
        Index expected = -1;
        for (std::size_t k = vectors.size(); k-- > 0;) {
            const Integer product = rows.matrix().row(i) * vectors[k];
            expected = product != 0 ? static_cast<Index>(k) : expected;
            expected_zero[k] = expected_zero[k] && product == 0;
        }
        RC_ASSERT(first[static_cast<std::size_t>(i)] == expected);
    }
    RC_ASSERT(zero == expected_zero);
}

TEST(AnnihilatesAll, IsNotDeceivedByAProductThatManyPrimesDivide) {
    // row·v = q for a product q of 20 primes: only a bound on |row·v| says how many primes are
    // needed.
    Integer q = 1;
    std::uint64_t bound = kDefaultPrime + 1;
    for (Index k = 0; k < 20; ++k) {
        bound = previous_prime(bound);
        q *= Integer(bound);
    }
    const PlainRows rows(IntegerMatrix::Constant(1, 1, Integer(1)));

    EXPECT_EQ(annihilates_all(rows, {IntegerVector::Constant(1, q)}), std::vector<bool>{false});
}

/// Two terms of each vector among sixty columns are summed one by one, sixty are multiplied as a
/// matrix: with the same answers.
TEST(FirstNonzeroProduct, IsTheSameForVectorsOfFewTermsAndOfMany) {
    constexpr Index kColumns = 60;
    IntegerMatrix A(7, kColumns);
    for (Index i = 0; i < 7; ++i) {
        for (Index j = 0; j < kColumns; ++j) {
            A(i, j) = (i + 1) * (j % 5 + 1) + (i == 4 && j == 13 ? 1 : 0);
        }
    }
    // Columns 3 and 8 agree everywhere, 3 and 13 but for row 4.
    IntegerVector agree = IntegerVector::Zero(kColumns);
    agree(3) = 1;
    agree(8) = -1;
    IntegerVector differ = IntegerVector::Zero(kColumns);
    differ(3) = 1;
    differ(13) = -1;
    const PlainRows rows(A);

    const std::vector<Index> few = first_nonzero_product(rows, {agree, differ});
    EXPECT_EQ(few, (std::vector<Index>{-1, -1, -1, -1, 1, -1, -1}));

    IntegerVector many = IntegerVector::Zero(kColumns);
    for (Index j = 0; j < kColumns; ++j) {
        many(j) = j < kColumns / 2 ? 1 : -1;
    }
    EXPECT_EQ(first_nonzero_product(rows, {agree, differ, many}), few)
        << "column 13 is in its first half, so that row 4 has a nonzero product as well";
    EXPECT_EQ(annihilates_all(rows, {agree, differ, many}),
              (std::vector<bool>{true, false, false}));
}

}  // namespace
}  // namespace attest::test
