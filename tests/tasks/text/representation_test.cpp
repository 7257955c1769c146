#include "tasks/text/representation.hpp"

#include "core/base/bitwise.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

/// "a b" ten times over.
VocabularyText alternating() {
    VocabularyText text{{"<unk>", "a", "b", "c"}, {0, 10, 10, 4}, {{TextPart::train, {}}}};
    for (int i = 0; i < 10; ++i) {
        text.documents[0].words.push_back(1);
        text.documents[0].words.push_back(2);
    }
    text.documents.push_back({TextPart::train, {3, 3, 3, 3}});
    text.documents.push_back({TextPart::test, {1, 3, 1, 3}});
    return text;
}

TEST(Representation, MutualInformationIsThatOfTheCountsAtDistancesOneToFour) {
    const Matrix M = positive_mutual_information(alternating());
    // Of 20 tokens in turn: distances 1 and 3 give 19 + 17 pairs a–b, 2 and 4 give 18 + 16 pairs of
    // equal words, half of them a–a. Of 4 times c: 3 + 2 + 1 pairs. A pair counts in both orders.
    const double ab = 36.0;
    const double aa = 34.0;
    const double cc = 12.0;
    const double total = 2.0 * (ab + aa) + cc;
    const double excess = std::log(ab * total / ((ab + aa) * (ab + aa)));
    EXPECT_NEAR(M(1, 2), excess, 8.0 * std::abs(excess) * 0x1p-52);
    EXPECT_NEAR(M(3, 3), std::log(total / cc), 8.0 * std::log(total / cc) * 0x1p-52);
    // A neighbour in test text counts for nothing.
    EXPECT_TRUE(is_zero(M(1, 3)));
    EXPECT_TRUE(bitwise_equal(M(2, 1), M(1, 2)));
}

TEST(Representation, SpectralEmbeddingHasUnitMeanSquareOnAGrid) {
    const VocabularyText text = alternating();
    const Matrix E = embed(Embedding::ppmi, text, 2, Stream(0));
    double power = 0.0;
    for (Index i = 0; i < 4; ++i) {
        power +=
            static_cast<double>(text.counts[static_cast<std::size_t>(i)]) * E.col(i).squaredNorm();
        for (Index k = 0; k < 2; ++k) {
            EXPECT_TRUE(bitwise_equal(std::nearbyint(1024.0 * E(k, i)), 1024.0 * E(k, i)));
        }
    }
    // Rounding moves an entry by at most 2⁻¹¹: the root of the mean square by no more.
    EXPECT_NEAR(std::sqrt(power / (24.0 * 2.0)), 1.0, 0x1p-11 + 0x1p-50);
    EXPECT_REFUSED("expected 1 to the 4 words", embed(Embedding::ppmi, text, 5, Stream(0)));
}

TEST(Representation, HashesDependOnTheWordAndNotOnItsPlace) {
    const VocabularyText one{{"<unk>", "x", "y"}, {0, 2, 1}, {}};
    const VocabularyText other{{"<unk>", "y", "x"}, {0, 2, 1}, {}};
    for (const Embedding kind : {Embedding::gaussian, Embedding::signs}) {
        const Matrix A = embed(kind, one, 6, Stream(3));
        const Matrix B = embed(kind, other, 6, Stream(3));
        EXPECT_EQ(A.col(1), B.col(2));
        EXPECT_NE(A.col(1), A.col(2));
    }
    const Matrix signs = embed(Embedding::signs, one, 6, Stream(3));
    EXPECT_EQ(signs.cwiseAbs2(), Matrix::Ones(6, 3));
}

TEST(Representation, OneHotGivesRareWordsTheLastCoordinate) {
    const VocabularyText text{{"<unk>", "a", "b", "c"}, {1, 4, 3, 2}, {}};
    const Matrix expected{{0, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 0, 1}};
    EXPECT_EQ(embed(Embedding::one_hot, text, 3, Stream(0)), expected);
}

}  // namespace
}  // namespace attest
