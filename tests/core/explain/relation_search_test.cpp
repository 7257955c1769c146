#include "core/explain/relation_search.hpp"

#include "core/certify/witness.hpp"
#include "core/explain/relation.hpp"
#include "core/rng/stream.hpp"
#include "tests/support/plain_rows.hpp"

#include <gtest/gtest.h>

namespace attest::test {

namespace {

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

/// Counts how often its blocks are formed.
class CountedRows final : public IntegerRows {
public:
    explicit CountedRows(const MatrixOf<Integer>& A) : rows_(A) {}

    [[nodiscard]] Index num_columns() const override { return rows_.num_columns(); }

    [[nodiscard]] Index num_blocks() const override { return rows_.num_blocks(); }

    [[nodiscard]] Index first_row(Index b) const override { return rows_.first_row(b); }

    [[nodiscard]] ModularMatrix block(const Modulus& p, Index b) const override {
        ++formed_;
        return rows_.block(p, b);
    }

    [[nodiscard]] Index entry_bits() const override { return rows_.entry_bits(); }

    [[nodiscard]] Index formed() const { return formed_; }

private:
    PlainRows rows_;
    mutable Index formed_ = 0;
};

TEST(TwoTermRelations, AreZerosAndMultiplesOfTheFirstSuchColumn) {
    MatrixOf<Integer> A = random_columns(7, 8);
    A.col(2).setZero();
    A.col(4) = A.col(1) * Integer(-3);
    A.col(6) = A.col(1) * Integer(2);
    A.col(7) = A.col(0) + A.col(3);
    EXPECT_EQ(two_term_relations(Modulus(), PlainRows(A)),
              (std::vector<IntegerVector>{vector_of({0, 0, 1, 0, 0, 0, 0, 0}),
                                          vector_of({0, 3, 0, 0, 1, 0, 0, 0}),
                                          vector_of({0, 2, 0, 0, 0, 0, -1, 0})}));
}

/// What agrees modulo the prime alone is no relation.
TEST(TwoTermRelations, AreProvedOverTheIntegers) {
    MatrixOf<Integer> A = random_columns(6, 3);
    A.col(1) = A.col(0);
    A(5, 1) += Integer(kDefaultPrime);
    A.col(2).setConstant(Integer(kDefaultPrime));
    EXPECT_TRUE(two_term_relations(Modulus(), PlainRows(A)).empty());
}

/// The search of an audit with fewer examples than features: a pass, whatever the rank.
TEST(TwoTermRelations, LookAtEveryRowOnceWhereNothingIsFound) {
    const CountedRows rows(random_columns(30, 40));
    EXPECT_TRUE(two_term_relations(Modulus(), rows).empty());
    EXPECT_EQ(rows.formed(), rows.num_blocks());
}

TEST(ShortRelations, OfVeryManyColumnsAreThoseOfTwoTerms) {
    const Index many = kMostColumnsSearched + 5;
    MatrixOf<Integer> A = random_columns(6, many);
    A.col(3) = A.col(0) * Integer(5);
    A.col(many - 1) = A.col(1) + A.col(2);
    const ShortRelations found = of(A, LongRelations::leave_out);
    EXPECT_EQ(supports(found), (std::vector<Index>{2}));
    EXPECT_EQ(found.missing(), many - 6 - 1);
}

EntryWord s(Index j, Index k) {
    return {"S", {{CoordinateKind::token, j - 1}, {CoordinateKind::token, k - 1}}};
}

EntryWord z(Index l) {
    return {"z", {{CoordinateKind::token, l - 1}}};
}

/// c (S_jk z_l − S_pq z_r).
Relation difference(Integer c, const EntryWord& a, Index l, const EntryWord& b, Index r) {
    return {{c, a, z(l)}, {-c, b, z(r)}};
}

TEST(Relation, IsWrittenAsAnEquation) {
    EXPECT_EQ(to_string(difference(1, s(1, 1), 2, s(2, 2), 2)), "S_11 z_2 = S_22 z_2");
    EXPECT_EQ(to_string(Relation{{3, s(1, 2), std::nullopt}}), "3 S_12 = 0");
    EXPECT_EQ(to_string(Relation{{-1, std::nullopt, z(3)}, {2, std::nullopt, z(1)}}),
              "2 z_1 = z_3");
    EXPECT_EQ(to_string(Relation{{1, {}, z(1)}, {1, {}, z(2)}, {-1, {}, z(3)}}, 2),
              "z_1 + z_2 = 0 and 1 more terms");
    const EntryWord one{"1", {}};
    EXPECT_EQ(to_string(Relation{{1, s(1, 1), std::nullopt}, {-4, one, std::nullopt}}), "S_11 = 4");
    EXPECT_EQ(to_string(Relation{{1, s(1, 1), one}, {-1, one, z(1)}}), "S_11 = z_1");
}

TEST(Relation, SharesItsShapeWithWhatAPermutationMakesOfIt) {
    const std::string shape = shape_of(difference(1, s(1, 1), 2, s(1, 2), 1));
    EXPECT_EQ(shape_of(difference(1, s(3, 3), 1, s(1, 3), 3)), shape);
    EXPECT_EQ(shape_of(difference(-1, s(3, 3), 1, s(1, 3), 3)), shape) << "up to sign";
}

TEST(Relation, OfAnotherShapeIsTold) {
    const std::string shape = shape_of(difference(1, s(1, 1), 2, s(1, 2), 1));
    EXPECT_NE(shape_of(difference(2, s(1, 1), 2, s(1, 2), 1)), shape) << "coefficients";
    EXPECT_NE(shape_of(difference(1, s(1, 1), 2, s(2, 2), 2)), shape);
    EXPECT_NE(shape_of(difference(1, s(1, 2), 3, s(1, 3), 2)), shape) << "three coordinates";
    EXPECT_NE(shape_of({{1, s(1, 1), z(2)}, {1, s(1, 2), z(1)}}), shape) << "a sum";
}

/// All relations S_jk z_l − S_pq z_r of d = 3.
std::vector<Relation> every_relation() {
    const std::vector<EntryWord> squares{s(1, 2), s(1, 3), s(2, 3), s(1, 1), s(2, 2), s(3, 3)};
    std::vector<Relation> all;
    for (const EntryWord& a : squares) {
        for (const EntryWord& b : squares) {
            for (Index l = 1; l <= 3; ++l) {
                for (Index r = 1; r <= 3; ++r) {
                    if (!(a == b && l == r)) {
                        all.push_back(difference(1, a, l, b, r));
                    }
                }
            }
        }
    }
    return all;
}

Relation permuted(Relation relation, const std::vector<Index>& to) {
    for (RelationTerm& term : relation) {
        for (auto* word : {&*term.state, &*term.query}) {
            for (Coordinate& c : word->coordinates) {
                c.number = to[static_cast<std::size_t>(c.number)];
            }
            std::sort(word->coordinates.begin(), word->coordinates.end());
        }
    }
    return relation;
}

Relation negated(Relation relation) {
    for (RelationTerm& term : relation) {
        term.coefficient = -term.coefficient;
    }
    return relation;
}

/// Whether a permutation of the coordinates makes one of the other, up to sign.
bool are_of_one_orbit(const Relation& a, const Relation& b) {
    const std::string as_is = to_string(b);
    const std::string turned = to_string(negated(b));
    std::vector<Index> to{0, 1, 2};
    bool found = false;
    do {
        const std::string text = to_string(permuted(a, to));
        found = found || text == as_is || text == turned;
    } while (std::next_permutation(to.begin(), to.end()));
    return found;
}

/// By brute force: relations have one shape when they are of one orbit of the six permutations.
TEST(Relation, ShapesAreTheOrbitsOfThePermutations) {
    const std::vector<Relation> all = every_relation();
    for (std::size_t i = 0; i < all.size(); i += 7) {
        for (const Relation& other : all) {
            EXPECT_EQ(shape_of(all[i]) == shape_of(other), are_of_one_orbit(all[i], other))
                << to_string(all[i]) << ", " << to_string(other);
        }
    }
}

}  // namespace

}  // namespace attest::test
