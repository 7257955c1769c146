#include "core/certify/span.hpp"

#include "core/certify/rank/exact_features.hpp"
#include "core/features/cubic.hpp"
#include "tests/reference/elimination.hpp"
#include "tests/support/audit_data.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {
namespace {

/// Whether row i of `queries` lies in the row space over Q of `training`, by two rational ranks.
bool in_span(const MatrixOf<Integer>& training, const MatrixOf<Integer>& queries, Index i) {
    reference::Rows rows = to_rows(training);
    const std::size_t rank = reference::reference_rank(rows);
    rows.push_back(to_rows(queries)[static_cast<std::size_t>(i)]);
    return reference::reference_rank(rows) == rank;
}

/// Σ_k c_k H(Z_{i_k}) over Q.
VectorOf<Rational> combined_features(const Dataset& data,
                                     const std::vector<Index>& examples,
                                     const VectorOf<Rational>& c) {
    VectorOf<Rational> sum = VectorOf<Rational>::Zero(feature_dim(data.d()));
    for (Index k = 0; k < c.size(); ++k) {
        const MatrixOf<Rational> Z =
            data.sequence(examples[static_cast<std::size_t>(k)]).cast<Rational>();
        sum += c(k) * cubic_features<Rational>(Z);
    }
    return sum;
}

TEST(CertifySpan, FindsTheQueryOnWhichTwoMinimisersOfTheFiveDisagree) {
    const Dataset training = deficient_five();
    // On [1,1;0,1] the models 0 and (E11,E12), (−E12,E21) give (0,0) and (1,0); on the second query
    // both vanish.
    const Dataset queries = sequences({Matrix{{1, 1}, {0, 1}}, Matrix{{0, 3}, {0, 3}}});

    const ExactRank rank = certify_rank(training);
    const std::vector<QuerySpan> answers = certify_span(training, rank, queries);

    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(answers[0].verdict, Determination::not_determined);
    EXPECT_EQ(answers[0].evidence, SpanEvidence::null_vector);
    ASSERT_EQ(answers[0].null_vector, 0);
    const MatrixOf<Integer> H = integer_features(queries);
    EXPECT_EQ(Integer(H.row(0) * rank.null_space.vectors[0]), 1);
    EXPECT_EQ(answers[1].verdict, Determination::determined);
    EXPECT_EQ(answers[1].evidence, SpanEvidence::null_basis);
}

TEST(CertifySpan, DeterminesEveryQueryAtFullRank) {
    const Dataset training = unimodular_six();

    const std::vector<QuerySpan> answers =
        certify_span(training, certify_rank(training), sequences({Matrix{{5, -7}, {2, 9}}}));

    EXPECT_EQ(answers[0].verdict, Determination::determined);
    EXPECT_EQ(answers[0].evidence, SpanEvidence::full_rank);
}

RC_GTEST_PROP(CertifySpan, AgreesWithRanksOverTheRationals, ()) {
    const Index d = draw_index(1, 3);
    const Dataset training = draw_dataset(d, draw_index(1, 20));
    const Dataset queries = draw_dataset(d, draw_index(1, 4));

    const ExactRank rank = certify_rank(training);
    const std::vector<QuerySpan> answers = certify_span(training, rank, queries);

    const MatrixOf<Integer> H = integer_features(training);
    const MatrixOf<Integer> Q = integer_features(queries);
    for (Index i = 0; i < queries.num_examples(); ++i) {
        const QuerySpan& answer = answers[static_cast<std::size_t>(i)];
        RC_ASSERT(answer.verdict ==
                  (in_span(H, Q, i) ? Determination::determined : Determination::not_determined));
        if (answer.evidence == SpanEvidence::null_vector) {
            const auto v = static_cast<std::size_t>(answer.null_vector);
            RC_ASSERT(Integer(Q.row(i) * rank.null_space.vectors[v]) != 0);
        }
    }
}

RC_GTEST_PROP(CertifySpan, WithoutNullVectorsProvesByCombinationsAndRankIncreases, ()) {
    const Index d = draw_index(1, 3);
    Dataset training = draw_dataset(d, draw_index(1, 8));
    training.tokens.own() *= 0.25;
    const Dataset fresh = draw_dataset(d, draw_index(1, 3));
    const Dataset queries = concatenate(fresh, subset(training, 0, 1));

    const ExactRank rank = certify_rank(training, {.null_vectors = NullVectors::none});
    const std::vector<QuerySpan> answers = certify_span(training, rank, queries);

    const MatrixOf<Integer> H = integer_features(training);
    const MatrixOf<Integer> Q = integer_features(queries);
    RC_ASSERT(answers.back().verdict == Determination::determined);
    for (Index i = 0; i < queries.num_examples(); ++i) {
        const QuerySpan& answer = answers[static_cast<std::size_t>(i)];
        if (answer.verdict == Determination::undecided) {
            RC_ASSERT(!rank.rank_is_exact());
            continue;
        }
        RC_ASSERT(in_span(H, Q, i) == (answer.verdict == Determination::determined));
        if (answer.evidence == SpanEvidence::combination) {
            const MatrixOf<Rational> Z = queries.sequence(i).cast<Rational>();
            RC_ASSERT(combined_features(training, rank.profile.pivot_rows, answer.combination) ==
                      cubic_features<Rational>(Z));
        }
    }
}

TEST(CertifySpan, IsUndecidedWhenTheRankIsNotProved) {
    // Six copies of one example: the rank is 1, but without null vectors only "≥ 1" is proved.
    Matrix Z{{1, 2}, {3, 4}};
    const Dataset training = sequences({Z, Z, Z, Z, Z, Z});
    const ExactRank rank = certify_rank(training, {.null_vectors = NullVectors::none});

    const std::vector<QuerySpan> answers =
        certify_span(training, rank, sequences({Matrix{{1, 0}, {0, 1}}, 2 * Z}));

    EXPECT_EQ(answers[0].verdict, Determination::undecided);
    EXPECT_EQ(answers[0].evidence, SpanEvidence::none);
    EXPECT_EQ(answers[1].verdict, Determination::determined);
    EXPECT_EQ(answers[1].evidence, SpanEvidence::combination);
    EXPECT_EQ(answers[1].combination, VectorOf<Rational>::Constant(1, Rational(8)));
}

TEST(CertifySpan, RaisesTheRankForFreshQueriesWhenNIsSmall) {
    // Two irregular examples: rank N = 2 is proved without null vectors.
    const Dataset training =
        sequences({Matrix{{0.1, 0.7}, {0.3, 0.9}}, Matrix{{0.2, 0.4}, {0.6, 0.8}}});
    const ExactRank rank = certify_rank(training, {.null_vectors = NullVectors::none});

    const std::vector<QuerySpan> answers =
        certify_span(training, rank, sequences({Matrix{{1, 0.3}, {0, 1}}}));

    EXPECT_EQ(answers[0].verdict, Determination::not_determined);
    EXPECT_EQ(answers[0].evidence, SpanEvidence::rank_increase);
}

TEST(CertifySpan, RefusesQueriesOfAnotherDimension) {
    const Dataset training = deficient_five();

    EXPECT_REFUSED(
        "certify_span: got queries with d = 3, layer linear",
        certify_span(training, certify_rank(training), sequences({Matrix{{1}, {2}, {3}}})));
}

TEST(SpanNames, AreTheOnesOfTheFiles) {
    EXPECT_EQ(to_string(Determination::not_determined), "not_determined");
    EXPECT_EQ(to_string(SpanEvidence::rank_increase), "rank_increase");
}

}  // namespace
}  // namespace attest::test
