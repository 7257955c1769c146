#include "core/explain/relation_search.hpp"

#include "core/certify/witness.hpp"
#include "core/rng/stream.hpp"
#include "tests/support/plain_rows.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using test::PlainRows;

MatrixOf<Integer> random_columns(Index rows, Index columns) {
    Draws draws(Stream(3).child("columns"));
    MatrixOf<Integer> A(rows, columns);
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < columns; ++j) {
            A(i, j) = static_cast<Index>(draws.below(2001)) - 1000;
        }
    }
    return A;
}

ShortRelations of(const MatrixOf<Integer>& A, LongRelations wanted = LongRelations::lift) {
    return short_relations(Modulus(), PlainRows(A), wanted);
}

std::vector<Index> supports(const ShortRelations& found) {
    std::vector<Index> sizes;
    for (const IntegerVector& v : found.vectors) {
        sizes.push_back(support(v));
    }
    return sizes;
}

IntegerVector vector_of(std::vector<Index> entries) {
    IntegerVector v(std::ssize(entries));
    for (std::size_t k = 0; k < entries.size(); ++k) {
        v(static_cast<Index>(k)) = entries[k];
    }
    return v;
}

TEST(ShortRelations, AreNoneBetweenIndependentColumns) {
    const ShortRelations found = of(random_columns(9, 6));
    EXPECT_TRUE(found.vectors.empty());
    EXPECT_EQ(found.rank(), 6);
    EXPECT_EQ(found.missing(), 0);
}

TEST(ShortRelations, FindsOnesTwosThreesAndFours) {
    MatrixOf<Integer> A = random_columns(20, 10);
    A.col(1).setZero();
    A.col(3) = A.col(0) * Integer(-3);
    A.col(5) = A.col(0) * Integer(2) + A.col(2) * Integer(7);
    A.col(8) = A.col(4) + A.col(6) - A.col(7);
    const ShortRelations found = of(A, LongRelations::leave_out);
    EXPECT_EQ(supports(found), (std::vector<Index>{1, 2, 3, 4}));
    EXPECT_EQ(found.vectors[1], vector_of({3, 0, 0, 1, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(found.vectors[2], vector_of({2, 0, 7, 0, 0, -1, 0, 0, 0, 0}));
    EXPECT_EQ(found.vectors[3], vector_of({0, 0, 0, 0, 1, 0, 1, -1, -1, 0}));
    EXPECT_EQ(found.missing(), 0);
}

TEST(ShortRelations, LiftsTheLongOnesIfAsked) {
    MatrixOf<Integer> A = random_columns(20, 8);
    A.col(2) = A.col(1);
    A.col(7) = A.col(0) * Integer(2) + A.col(1) + A.col(3) + A.col(4) + A.col(5) + A.col(6);
    EXPECT_EQ(supports(of(A)), (std::vector<Index>{2, 7}));
    const ShortRelations short_only = of(A, LongRelations::leave_out);
    EXPECT_EQ(supports(short_only), (std::vector<Index>{2}));
    EXPECT_EQ(short_only.missing(), 1);
}

/// What vanishes modulo the prime alone is no relation.
TEST(ShortRelations, AreProvedOverTheIntegers) {
    MatrixOf<Integer> A = random_columns(6, 3);
    for (Index i = 0; i < 6; ++i) {
        A(i, 1) = Integer(kDefaultPrime) * (i + 1);
        A(i, 2) = A(i, 0) + Integer(kDefaultPrime) * (i * i);
    }
    const ShortRelations found = of(A);
    EXPECT_TRUE(found.vectors.empty());
    EXPECT_EQ(found.rank(), 1) << "modulo the prime";
    EXPECT_EQ(found.missing(), 2);
}

TEST(ShortRelations, CoefficientsOfManyBitsAreLifted) {
    MatrixOf<Integer> A = random_columns(6, 3);
    const Integer large = (Integer(1) << 55U) + 1;
    A.col(2) = A.col(0) * large + A.col(1) * Integer(3);
    const ShortRelations found = of(A);
    ASSERT_EQ(supports(found), (std::vector<Index>{3}));
    EXPECT_EQ(abs(found.vectors[0](0)), large);
}

TEST(ShortRelations, OfNothingButZerosAreAllColumns) {
    const ShortRelations found = of(MatrixOf<Integer>::Zero(4, 3));
    EXPECT_EQ(supports(found), (std::vector<Index>{1, 1, 1}));
    EXPECT_EQ(found.rank(), 0);
}

}  // namespace
}  // namespace attest
