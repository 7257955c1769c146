#include "core/moments/structured_gram.hpp"

#include "core/base/error.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/process_settings.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

/// The Gram of one example with s = pack(S) and z, as a StructuredGram.
StructuredGram gram_of(const Vector& s, const Vector& z) {
    const Index q = s.size();
    const std::vector<ProductPair> rows = triangle_pairs(q);
    ProductSumOf<double> sum(rows, triangle_pairs(z.size()), Isa::automatic);
    Matrix left = Matrix::Zero(q + sum.padding(), 1);
    left.topRows(q) = s;
    sum.add(left, z, 1, 1);
    sum.finish();
    return {z.size(), sum, positions_of_triangle(q, rows)};
}

Vector counting(Index size, double first) {
    return Vector::LinSpaced(size, first, first + static_cast<double>(size) - 1.0);
}

Vector features(const Vector& s, const Vector& z) {
    Vector h(s.size() * z.size());
    for (Index p = 0; p < s.size(); ++p) {
        h.segment(p * z.size(), z.size()) = s(p) * z;
    }
    return h;
}

TEST(StructuredGram, OneExampleByHand) {
    // d = 1: s = 3, z = 2, H = 6.
    const StructuredGram gram = gram_of(Vector::Constant(1, 3.0), Vector::Constant(1, 2.0));

    EXPECT_EQ(gram.psi(), 1);
    EXPECT_EQ(gram.at(0, 0), 36.0);
    EXPECT_EQ(gram.lower_triangle(1), Matrix::Constant(1, 1, 36.0));
}

TEST(StructuredGram, EveryEntryIsThatOfTheOuterProduct) {
    for (const Index d : {1, 2, 3, 4}) {
        const Vector s = counting(packed_dim(d), -2.0);
        const Vector z = counting(d, 1.0);
        const Vector h = features(s, z);
        const Matrix expected = h * h.transpose();

        const StructuredGram gram = gram_of(s, z);

        const Matrix lower = gram.lower_triangle(2);
        EXPECT_EQ(lower, Matrix(expected.triangularView<Eigen::Lower>()));
        for (Index i = 0; i < gram.psi(); ++i) {
            for (Index j = 0; j < gram.psi(); ++j) {
                EXPECT_EQ(gram.at(i, j), expected(i, j));
            }
        }
    }
}

TEST(StructuredGram, AWrongExampleIsNoticed) {
    const Vector s = counting(3, 1.0);
    const Vector z = counting(2, 1.0);
    EXPECT_NE(gram_of(s, z).lower_triangle(1), gram_of(s, z.reverse()).lower_triangle(1));
    EXPECT_NE(gram_of(s, z).lower_triangle(1), gram_of(s.reverse(), z).lower_triangle(1));
}

/// The layout printed in LAPACK's documentation of dpftrf for TRANSR = 'N', UPLO = 'L'; entry
/// 10·i+j stands for A(i, j).
TEST(StructuredGram, RectangularPackedPositionsAreThoseLapackDocuments) {
    const std::vector<std::vector<int>> even{{33, 43, 53},
                                             {0, 44, 54},
                                             {10, 11, 55},
                                             {20, 21, 22},
                                             {30, 31, 32},
                                             {40, 41, 42},
                                             {50, 51, 52}};
    const std::vector<std::vector<int>> odd{
        {0, 33, 43}, {10, 11, 44}, {20, 21, 22}, {30, 31, 32}, {40, 41, 42}};
    for (const auto& [n, layout] : {std::pair{6, even}, std::pair{5, odd}}) {
        const auto ld = static_cast<Index>(layout.size());
        for (Index row = 0; row < ld; ++row) {
            for (Index col = 0; col < 3; ++col) {
                const int entry =
                    layout[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)];
                EXPECT_EQ(rectangular_packed_index(n, entry / 10, entry % 10), row + col * ld)
                    << "n = " << n << ", entry " << entry;
            }
        }
    }
}

TEST(StructuredGram, RectangularPackedHoldsTheLowerTriangle) {
    for (const Index d : {1, 2, 3, 5}) {
        const StructuredGram gram = gram_of(counting(packed_dim(d), 1.0), counting(d, 2.0));
        const Matrix lower = gram.lower_triangle(1);

        const Vector packed = gram.rectangular_packed(2);

        ASSERT_EQ(packed.size(), packed_dim(gram.psi()));
        for (Index j = 0; j < gram.psi(); ++j) {
            for (Index i = j; i < gram.psi(); ++i) {
                EXPECT_EQ(packed(rectangular_packed_index(gram.psi(), i, j)), lower(i, j));
            }
        }
    }
}

TEST(StructuredGram, RefusesWhatIsOutOfRangeOrDoesNotFit) {
    const StructuredGram gram = gram_of(counting(3, 1.0), counting(2, 2.0));
    EXPECT_REFUSED("StructuredGram: got position (0,6)", gram.at(0, 6));
    const test::MemoryLimit limit(100);
    EXPECT_THROW((void)gram.lower_triangle(1), EnvironmentFailure);
    EXPECT_THROW((void)gram.rectangular_packed(1), EnvironmentFailure);
}

}  // namespace
}  // namespace attest
