#include "core/layers/feature_layout.hpp"

#include "core/base/error.hpp"
#include "core/layers/polynomial.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(FeatureLayout, OfADimensionIsThePapers) {
    for (Index d = 1; d <= 5; ++d) {
        const FeatureLayout layout(d);
        EXPECT_EQ(layout.q(), packed_dim(d));
        EXPECT_EQ(layout.m(), d);
        EXPECT_EQ(layout.psi(), feature_dim(d));
        EXPECT_TRUE(layout.is_full());
        for (Index i = 0; i < layout.psi(); ++i) {
            EXPECT_EQ(layout.factors(i).state, i / d);
            EXPECT_EQ(layout.factors(i).query, i % d);
            EXPECT_EQ(layout.multiplicity(i), i / d < packed_dim(d) - d ? 2 : 1);
        }
        const std::vector<Index> ones(static_cast<std::size_t>(d), 1);
        EXPECT_EQ(layout, FeatureLayout(packed_multiplicity(d), ones)) << "entry by entry";
    }
}

/// s has 5 entries, u has 3; features are s_0 u_0, s_0 u_1 and {s_3, s_4}·u_2.
FeatureLayout two_blocks() {
    return {{1, 2, 3, 4, 5}, {1, 10, 100}, {{0, 1, 0, 2}, {3, 2, 2, 1}}};
}

TEST(FeatureLayout, ListsBlockAfterBlock) {
    const FeatureLayout layout = two_blocks();
    EXPECT_EQ(layout.psi(), 4);
    EXPECT_FALSE(layout.is_full());
    const std::vector<std::pair<Index, Index>> expected{{0, 0}, {0, 1}, {3, 2}, {4, 2}};
    const std::vector<Index> multiplicity{1, 10, 400, 500};
    for (Index i = 0; i < layout.psi(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        EXPECT_EQ(layout.factors(i).state, expected[at].first);
        EXPECT_EQ(layout.factors(i).query, expected[at].second);
        EXPECT_EQ(layout.multiplicity(i), multiplicity[at]);
    }
}

TEST(FeatureLayout, SpreadsCoefficientsOverTheFactorsAndBack) {
    const FeatureLayout layout = two_blocks();
    const Vector p = (Vector(4) << 1.0, 2.0, 3.0, 4.0).finished();
    Matrix expected = Matrix::Zero(3, 5);
    expected(0, 0) = 1.0;
    expected(1, 0) = 2.0;
    expected(2, 3) = 3.0;
    expected(2, 4) = 4.0;
    EXPECT_EQ(layout.by_factors(p), expected);
    EXPECT_EQ(layout.from_factors(expected), p);
    EXPECT_EQ(layout.from_factors(Matrix::Ones(3, 5)), Vector::Ones(4)) << "the rest is left out";
}

TEST(FeatureLayout, IsComparedByWhatItLists) {
    EXPECT_EQ(FeatureLayout(3), FeatureLayout(3));
    EXPECT_NE(FeatureLayout(3), FeatureLayout(2));
    EXPECT_NE(FeatureLayout(3), all_products(6, 3)) << "pairs count twice in the paper's";
    EXPECT_EQ(two_blocks(), two_blocks());
    EXPECT_NE(two_blocks(), all_products(5, 3));
}

TEST(FeatureLayout, RefusesABlockOutside) {
    EXPECT_THROW(FeatureLayout({1, 1}, {1}, {{0, 3, 0, 1}}), InvalidInput);
    EXPECT_THROW(FeatureLayout({1, 1}, {1}, {{0, 2, 1, 1}}), InvalidInput);
}

TEST(Monomials, AreTheSortedListsOfFactors) {
    const std::vector<std::vector<Index>> expected{{0, 0}, {0, 1}, {1, 1}};
    EXPECT_EQ(monomials(2, 2), expected);
    EXPECT_EQ(monomials(3, 0), std::vector<std::vector<Index>>{{}});
    EXPECT_EQ(monomials(4, 3).size(), 20U) << "C(6, 3)";
}

TEST(Monomials, HaveTheMultinomialNumberOfOrders) {
    EXPECT_EQ(orders({}), 1);
    EXPECT_EQ(orders({0, 0, 0}), 1);
    EXPECT_EQ(orders({0, 0, 1}), 3);
    EXPECT_EQ(orders({0, 0, 1, 1}), 6);
    EXPECT_EQ(orders({0, 1, 2}), 6);
    Index all = 0;
    for (const std::vector<Index>& factors : monomials(3, 5)) {
        all += orders(factors);
    }
    EXPECT_EQ(all, 243) << "3^5 words of length 5";
}

}  // namespace
}  // namespace attest
