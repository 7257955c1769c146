#include "core/explain/explanation.hpp"

#include "core/explain/mapped_rows.hpp"
#include "core/questions/evidence.hpp"
#include "tests/core/explain/token_data.hpp"
#include "tests/reference/elimination.hpp"
#include "tests/support/layer_examples.hpp"

#include <gtest/gtest.h>

namespace attest::test {

namespace {

Explanation explained(const Dataset& data) {
    const ExactRank rank = certify_rank(data);
    return explain(data, rank, audit_structure(data).seen);
}

reference::Rows rows_of(const MatrixOf<Rational>& A) {
    reference::Rows rows;
    for (Index i = 0; i < A.rows(); ++i) {
        rows.emplace_back(A.row(i).begin(), A.row(i).end());
    }
    return rows;
}

/// Straight from the definition, over Q: every vector annihilates every example, all of them are
/// independent, and the data leave no more than they say.
void expect_a_basis(const Dataset& data, const Explanation& found, const std::string& what) {
    const MatrixOf<Rational> H = features_by_definition(data);
    reference::Rows vectors;
    for (const RelationClass& one : found.classes) {
        for (const IntegerVector& v : one.vectors) {
            const VectorOf<Rational> rational = v.cast<Rational>();
            EXPECT_TRUE((H * rational).isZero()) << what << ": " << to_string(one.example);
            vectors.emplace_back(rational.begin(), rational.end());
        }
    }
    const auto rank = static_cast<Index>(reference::reference_rank(rows_of(H)));
    EXPECT_EQ(found.nullity, found.psi - rank) << what;
    EXPECT_EQ(found.listed, std::ssize(vectors)) << what;
    if (!vectors.empty()) {
        EXPECT_EQ(static_cast<Index>(reference::reference_rank(vectors)), found.listed) << what;
    }
}

TEST(Explanation, SaysNothingOfDataOfFullRank) {
    const Dataset data = token_data(60, 3, [](Draws& draws) { return small_token(draws, 3); });
    const Explanation found = explained(data);
    EXPECT_EQ(found.nullity, 0);
    EXPECT_TRUE(found.classes.empty() && found.facts.empty());
}

TEST(Explanation, OfEveryLayerIsABasisOfAllThatHolds) {
    for (const std::string& text : layer_texts()) {
        for (const Index n : {1, 2, 3}) {
            const Dataset data =
                layer_data({.layer = text, .n = {n, n}, .count = 150, .levels = 1});
            const Explanation found = explained(data);
            expect_a_basis(data, found, text + ", n = " + std::to_string(n));
            EXPECT_TRUE(found.not_listed() == 0 || found.by_counting() > 0)
                << text << ", n = " << n;
        }
    }
}

TEST(Explanation, CoversPrefixes) {
    const Dataset data = layer_data(
        {.layer = "decay=1,1/2", .n = {2, 2}, .labels = LabelKind::per_prefix, .count = 60});
    const Explanation found = explained(data);
    expect_a_basis(data, found, "prefixes");
    EXPECT_EQ(found.not_listed(), 0);
}

TEST(Explanation, SaysFirstThatExamplesAreTooFew) {
    const Dataset data = token_data(9, 3, [](Draws& draws) { return small_token(draws, 3); });
    const Explanation found = explained(data);
    EXPECT_EQ(found.by_counting(), 18 - 9);
    EXPECT_EQ(found.listed, 0) << "relations of a generic kind";
    EXPECT_EQ(found.not_listed(), found.nullity);
}

TEST(Explanation, CountsExamplesThatRepeatOnce) {
    const Dataset nine = token_data(9, 3, [](Draws& draws) { return small_token(draws, 3); });
    const Explanation found = explained(concatenate(nine, nine));
    EXPECT_EQ(found.num_examples, 18);
    EXPECT_EQ(found.distinct_examples, 9);
    EXPECT_EQ(found.by_counting(), 9);
}

TEST(Explanation, FindsSpecialRelationsAmongTooFewExamples) {
    const Dataset data = token_data(12, 3, [](Draws& draws) {
        Vector z = small_token(draws, 3);
        z(1) = 0.0;
        return z;
    });
    const Explanation found = explained(data);
    expect_a_basis(data, found, "few with a zero");
    EXPECT_GE(found.listed, 18 - 6) << "what a zero coordinate leaves of d = 3 is d = 2";
}

/// S_12, S_13, S_23 vanish: one class of three, as any two of the coordinates change places.
TEST(Explanation, GroupsWhatDiffersByAPermutation) {
    const Dataset data = token_data(200, 4, [](Draws& draws) {
        Vector z = Vector::Zero(4);
        z(static_cast<Index>(draws.below(3))) = 1.0;
        z(3) = static_cast<double>(draws.below(7)) - 3.0;
        return z;
    });
    const Explanation found = explained(data);
    expect_a_basis(data, found, "one-hot");
    EXPECT_EQ(found.not_listed(), 0);
    const RelationClass& first = found.classes.front();
    EXPECT_EQ(first.members, 3);
    EXPECT_EQ(to_string(first.example), "S_12 = 0");
    EXPECT_EQ(first.vectors.size(), 12U) << "times each of four entries of z";
    EXPECT_EQ(first.coordinates.size(), 3U);
    EXPECT_FALSE(first.is_structural);
}

TEST(Explanation, KnowsWhatIsTheLayersOwn) {
    const Dataset data = token_data(60, 1, [](Draws& draws) { return small_token(draws, 3); });
    const Explanation found = explained(data);
    expect_a_basis(data, found, "n = 1");
    ASSERT_FALSE(found.classes.empty());
    for (const RelationClass& one : found.classes) {
        EXPECT_TRUE(one.is_structural) << to_string(one.example);
    }
    EXPECT_EQ(found.nullity, 8) << "d(d² − 1)/3";
    EXPECT_EQ(found.not_listed(), 0);
}

TEST(Explanation, OfQueriesThatAreZeroNamesThem) {
    const Dataset data = token_data(30, [](Draws& draws) {
        Matrix Z = Matrix::Zero(3, 4);
        for (Index t = 0; t < 3; ++t) {
            Z.col(t) = small_token(draws, 3);
        }
        return Z;
    });
    const Explanation found = explained(data);
    expect_a_basis(data, found, "zero queries");
    EXPECT_EQ(found.not_listed(), 0);
    ASSERT_EQ(found.classes.size(), 1U) << "nothing is said of states that nobody asks";
    EXPECT_EQ(found.classes[0].cause.kind, CauseKind::zero_query);
    EXPECT_EQ(to_string(found.classes[0].example), "z_1 = 0");
    EXPECT_EQ(found.classes[0].members, 3);
}

TEST(Explanation, OfTokensThatAreAllZeroNamesTheirCoordinates) {
    const Dataset data = token_data(30, 4, [](Draws&) { return Vector(Vector::Zero(3)); });
    const Explanation found = explained(data);
    expect_a_basis(data, found, "zero tokens");
    EXPECT_EQ(found.not_listed(), 0);
    ASSERT_EQ(found.classes.size(), 1U);
    EXPECT_EQ(found.classes[0].cause.kind, CauseKind::zero_coordinate);
}

TEST(Explanation, OfStatesThatAreZeroBlamesNoQuery) {
    Dataset data = layer_data({.layer = "cross", .count = 30});
    data.tokens.own().setZero();
    const Explanation found = explained(data);
    expect_a_basis(data, found, "zero states");
    EXPECT_EQ(found.not_listed(), 0);
    for (const RelationClass& one : found.classes) {
        EXPECT_EQ(one.scope, RelationScope::state) << "x is not 0";
        EXPECT_EQ(one.cause.kind, CauseKind::zero_coordinate);
    }
}

/// Single tokens, the columns of A.
Dataset single_tokens(const Matrix& A) {
    Dataset data;
    data.tokens = A;
    for (Index t = 0; t <= A.cols(); ++t) {
        data.offsets.push_back(t);
    }
    return data;
}

TEST(BrokenRelations, AreThoseThatDoNotVanishOnTheInput) {
    // Every token is (a, 0): z_2 = 0 and S_12 = S_22 = 0 hold in the data.
    const Dataset data = single_tokens(Matrix{{1, 2, 3}, {0, 0, 0}});
    const Explanation why = explain(data, certify_rank(data), std::nullopt);
    ASSERT_GE(why.classes.size(), 1U);

    const auto broken = broken_relations(why, single_tokens(Matrix{{5, 0, 1}, {0, 1, 1}}));

    EXPECT_TRUE(broken[0].empty()) << "(5, 0) is like the data";
    EXPECT_FALSE(broken[1].empty());
    EXPECT_FALSE(broken[2].empty());
    for (const Index number : broken[2]) {
        EXPECT_LT(number, std::ssize(why.classes));
    }
}

}  // namespace

}  // namespace attest::test
