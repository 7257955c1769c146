#include "core/questions/certify.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/predict.hpp"
#include "core/questions/verdict.hpp"
#include "tests/core/questions/audit_examples.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/process_settings.hpp"
#include "tests/support/sources.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest::test {

namespace {

Certification certified(const Dataset& data, const CertifyRequest& request) {
    const DatasetSource source(data);
    return certify(FactoredSource(source), request);
}

CertifyRequest at(CertifyLevel level) {
    CertifyRequest request;
    request.level = level;
    return request;
}

TEST(Certify, FactorsTheDataOnceHoweverMuchIsAsked) {
    const Dataset data = planted(600, 1);  // rank 4 of 6, so that there is a witness
    const Dataset queries = planted(5, 3, 8);
    const Dataset other = planted(5, 1, 8);
    const Dataset pool = planted(9, 3, 9);
    const Model model{2, 2, Matrix::Zero(6, 2), {2, 2, {}}, ""};
    CertifyRequest request;
    request.parts.queries = &queries;
    request.parts.witness = true;
    request.other = &other;
    request.noise = 0.1;
    request.pool = &pool;
    request.suggest = 2;
    const CountedSource source(data);

    const Certification found = certify(FactoredSource(source), request);

    EXPECT_EQ(source.passes(), 1);
    ASSERT_NE(found.exact(), nullptr);
    EXPECT_TRUE(found.exact()->queries && found.exact()->witness && found.spectrum());
    EXPECT_TRUE(found.elsewhere && found.truth);
    EXPECT_EQ(found.suggestions->size(), 2U);
    // A model's risk is the mean of its own errors: one more pass, and none for the factor.
    const CountedSource again(data);
    request.model = &model;
    EXPECT_TRUE(certify(FactoredSource(again), request).model);
    EXPECT_EQ(again.passes(), 2);
}

TEST(Certify, SaysAtLevelExactOnlyWhatIsProved) {
    const Dataset data = planted(40, 3);
    const CountedSource source(data);

    const Certification found = certify(FactoredSource(source), at(CertifyLevel::exact));

    EXPECT_EQ(found.verdict, DataVerdict::determined);
    EXPECT_TRUE(found.proof);
    EXPECT_EQ(found.spectrum(), nullptr) << "exact says only what is proved over Q";
    EXPECT_EQ(source.passes(), 1) << "once, to see whether double precision agrees";
    EXPECT_FALSE(found.exact()->lower_seen) << "it does";
}

/// Tokens (a, c·a), the second entry rounded: of rank 1 as they are meant, and of rank 2 as they
/// are written.
Dataset rounded_line(double c) {
    Dataset data = planted(40, 3);
    Matrix tokens = data.tokens.view();
    tokens.row(1) = c * tokens.row(0);
    data.tokens = std::move(tokens);
    return data;
}

TEST(Certify, WarnsWhereDoublePrecisionSeesALowerRankThanIsProved) {
    for (const CertifyLevel level : {CertifyLevel::automatic, CertifyLevel::exact}) {
        const Certification rounded = certified(rounded_line(1.0 / 3.0), at(level));

        EXPECT_EQ(rounded.verdict, DataVerdict::determined) << "of the numbers as they stand";
        ASSERT_TRUE(rounded.exact()->lower_seen);
        EXPECT_EQ(rounded.exact()->lower_seen->rank, 1);
        const Output said = describe(rounded);
        EXPECT_EQ(said.json()["numerical_rank"], 1);
        EXPECT_EQ(said.json()["warning"],
                  "double precision sees rank 1: the data look like a rounding of data of rank 1; "
                  "give them exactly, as whole numbers with a common scale an example, or go by "
                  "--level numerical");
        EXPECT_NE(said.text().find("warning"), std::string::npos);

        const Certification exact = certified(rounded_line(0.25), at(level));
        EXPECT_EQ(exact.verdict, DataVerdict::not_determined);
        EXPECT_FALSE(exact.exact()->lower_seen) << "nothing was rounded";
        EXPECT_FALSE(describe(exact).json().contains("warning"));
    }
}

TEST(Certify, ASlowDecayIsNoRounding) {
    ExactRank rank;
    rank.rank_lower = 3;
    NumericalSpectrum spectrum;
    spectrum.rank = 2;
    spectrum.sigma = Eigen::Vector3d(1.0, 2e-13, 1e-16);
    EXPECT_FALSE(lower_rank_seen(spectrum, rank)->looks_rounded());
    spectrum.sigma = Eigen::Vector3d(1.0, 0.5, 0.0);
    EXPECT_TRUE(lower_rank_seen(spectrum, rank)->looks_rounded());
    spectrum.rank = 3;
    EXPECT_FALSE(lower_rank_seen(spectrum, rank));
}

TEST(Certify, AProofOfFullRankSaysHowManyRoundingsLowerRankIsAway) {
    const Certification full = certified(planted(40, 3), {});
    const NumericalSpectrum& spectrum = *full.spectrum();
    const Certification deficient = certified(planted(40, 1), {});
    const Certification rounded = certified(rounded_line(1.0 / 3.0), at(CertifyLevel::exact));

    ASSERT_TRUE(full.exact()->roundings);
    EXPECT_EQ(*full.exact()->roundings, spectrum.sigma(5) / (0x1p-53 * spectrum.sigma(0)));
    EXPECT_EQ(describe(full).json()["roundings_to_lower_rank"], *full.exact()->roundings);
    EXPECT_FALSE(describe(deficient).json().contains("roundings_to_lower_rank"));
    ASSERT_TRUE(rounded.exact()->roundings);
    EXPECT_LT(*rounded.exact()->roundings, 100.0);
    EXPECT_GT(*full.exact()->roundings, 1e6);

    const Certification exact = certified(planted(40, 3), at(CertifyLevel::exact));
    ASSERT_TRUE(exact.exact()->roundings);
    // Two singular values or all of them: either way a few times psi = 6 roundings of the largest.
    const double allowed = 30.0 * gamma_bound(6) / 0x1p-53;
    EXPECT_LE(std::abs(*exact.exact()->roundings - *full.exact()->roundings), allowed);
}

TEST(Certify, RoundingsAreAskedOfARankThatThereIs) {
    NumericalSpectrum spectrum;
    spectrum.sigma = Eigen::Vector2d(2.0, 0x1p-52);
    EXPECT_EQ(roundings_to_lower_rank(spectrum, 2), 1.0);
    EXPECT_EQ(roundings_to_lower_rank(spectrum, 0), 0.0);
    EXPECT_REFUSED("rank 3", roundings_to_lower_rank(spectrum, 3));
}

TEST(Certify, NumericallyNeverSaysNotDetermined) {
    const Certification full = certified(planted(40, 3), at(CertifyLevel::numerical));
    const Certification deficient = certified(planted(40, 1), at(CertifyLevel::numerical));

    EXPECT_EQ(full.verdict, DataVerdict::numerically_full_rank);
    EXPECT_EQ(deficient.verdict, DataVerdict::numerically_deficient);
    EXPECT_EQ(deficient.answer, DataVerdict::numerically_deficient);
    EXPECT_EQ(deficient.spectrum()->nullity(), 2);
    EXPECT_FALSE(full.proof) << "floating point proves nothing";
}

TEST(Certify, RigorouslyEnclosesLambdaMinOrIsUndecided) {
    const Certification full = certified(planted(40, 3), at(CertifyLevel::rigorous));
    const Certification deficient = certified(planted(40, 1), at(CertifyLevel::rigorous));

    EXPECT_EQ(full.answer, DataVerdict::determined);
    EXPECT_GT(to_double(full.enclosure()->lo), 0.0);
    EXPECT_EQ(deficient.answer, DataVerdict::undecided);
}

TEST(Certify, AutomaticallyAddsTheMarginBesideTheProof) {
    const Certification full = certified(planted(40, 3), {});
    const Certification deficient = certified(planted(40, 1), {});

    EXPECT_EQ(full.verdict, DataVerdict::determined);
    EXPECT_LE(to_double(full.enclosure()->lo), full.spectrum()->lambda_min);
    EXPECT_EQ(deficient.verdict, DataVerdict::not_determined);
    EXPECT_EQ(deficient.exact()->rank.rank_lower, 4);
    EXPECT_EQ(deficient.enclosure(), nullptr) << "a proved deficiency has no margin";
}

TEST(Certify, AnswersAboutTheQueriesWhereThereAreSome) {
    const Dataset data = planted(40, 1);
    const Dataset inside = planted(3, 1, 8);
    const Dataset outside = planted(3, 3, 8);
    CertifyRequest request;

    request.parts.queries = &inside;
    const Certification determined = certified(data, request);
    request.parts.queries = &outside;
    const Certification refuted = certified(data, request);

    EXPECT_EQ(determined.verdict, DataVerdict::not_determined) << "the data leave something open";
    EXPECT_EQ(determined.answer, DataVerdict::determined) << "but not these outputs";
    EXPECT_EQ(determined.exact()->queries->determined, 3);
    EXPECT_EQ(refuted.answer, DataVerdict::not_determined);
    EXPECT_EQ(refuted.exact()->queries->not_determined, 3);
}

TEST(Certify, IsUndecidedWhereTheLabelsDenyThePresumption) {
    const Dataset contradictory = one_sign_wrong();
    CertifyRequest request;
    request.parts.realisable = true;

    const Certification denied = certified(contradictory, request);
    const Certification nothing = certified(contradictory, {});

    const auto* const labels = std::get_if<ConsistencyReport>(&denied.evidence);
    ASSERT_NE(labels, nullptr) << "nothing is said of the rank";
    EXPECT_EQ(labels->verdict, LabelConsistency::inconsistent);
    EXPECT_EQ(denied.answer, DataVerdict::undecided);
    EXPECT_FALSE(denied.proof);
    EXPECT_EQ(nothing.answer, DataVerdict::determined);
}

TEST(Certify, ShowsTwoModelsWithTheSameTrainingOutputs) {
    const Dataset data = planted(40, 1);
    CertifyRequest request;
    request.parts.witness = true;

    const WitnessAudit found = *certified(data, request).exact()->witness;

    const DatasetSource input(found.witness.input);
    const Matrix gap = predict(coefficients(found.models[0].heads), input) -
                       predict(coefficients(found.models[1].heads), input);
    EXPECT_GT(std::abs(gap(0, 0)), 0.5 * std::abs(found.witness.difference));
    EXPECT_EQ(found.models[0].P, found.witness.P[0]);
}

TEST(Certify, SaysWhyDeterminedDataHaveNoWitness) {
    CertifyRequest request;
    request.parts.witness = true;
    const Certification found = certified(planted(40, 3), request);
    EXPECT_EQ(found.answer, DataVerdict::determined);
    EXPECT_FALSE(found.exact()->witness);
    EXPECT_EQ(found.exact()->no_witness, "the features are independent");
}

TEST(Certify, SaysWhyADeterminedQueryHasNoWitness) {
    const Dataset data = planted(40, 1);
    const Dataset inside = subset(data, 0, 1);
    CertifyRequest request;
    request.parts.witness = true;
    request.parts.queries = &inside;
    const Certification found = certified(data, request);
    EXPECT_EQ(found.answer, DataVerdict::determined);
    EXPECT_SAYS(found.exact()->no_witness, "its output is determined");
}

TEST(Certify, ByCountingWhereTheEliminationDoesNotFitIntoMemory) {
    const MemoryLimit limit(20000);  // below 8·1024·6
    const Certification found = certified(planted(5, 3), {});
    EXPECT_EQ(found.answer, DataVerdict::not_determined);
    EXPECT_FALSE(found.exact()->rank.rank_is_exact());
    EXPECT_EQ(found.exact()->rank.rank_upper, 5);
    EXPECT_SAYS(found.exact()->rank.reason, "N = 5 < psi = 6; the rank itself was not computed");
    EXPECT_TRUE(found.proof.has_value());

    CertifyRequest request;
    request.parts.witness = true;
    EXPECT_THROW((void)certified(planted(5, 3), request), MemoryFailure) << "needs null vectors";
    EXPECT_THROW((void)certified(planted(6, 3), {}), MemoryFailure) << "counting proves nothing";
}

TEST(CertifyLevel, IsReadBackFromItsName) {
    for (const CertifyLevel level : {CertifyLevel::automatic,
                                     CertifyLevel::numerical,
                                     CertifyLevel::matrix_free,
                                     CertifyLevel::rigorous,
                                     CertifyLevel::exact,
                                     CertifyLevel::grouped}) {
        EXPECT_EQ(certify_level_from_string(to_string(level)), level);
    }
    EXPECT_EQ(to_string(CertifyLevel::automatic), "auto");
}

TEST(CertifyLevel, OfAnUnknownNameIsRefusedWithTheNames) {
    try {
        (void)certify_level_from_string("maybe");
        ADD_FAILURE() << "nothing was thrown";
    } catch (const UnknownName& error) {
        EXPECT_STREQ(error.what(),
                     "level: got 'maybe', expected auto, numerical, matrix-free, rigorous, exact "
                     "or grouped");
    }
}

TEST(DataVerdict, IsSpelledAsTheCommandLineSpellsIt) {
    EXPECT_EQ(to_string(data_verdict(RankVerdict::full_rank)), "determined");
    EXPECT_EQ(to_string(data_verdict(RankVerdict::deficient)), "not_determined");
    EXPECT_EQ(to_string(data_verdict(RankVerdict::undecided)), "undecided");
    EXPECT_EQ(to_string(DataVerdict::numerically_full_rank), "numerically_full_rank");
    EXPECT_EQ(to_string(DataVerdict::numerically_deficient), "numerically_deficient");
}

TEST(HeadsForEveryFunction, AreAsManyAsTheOutputsNeedAndNeverMoreThanThePairs) {
    Dataset data = scalars(Matrix::Zero(1, 1));
    data.tokens = Matrix::Zero(4, 1);

    EXPECT_EQ(heads_for_every_function(data), 10) << "d(d+1)/2 without labels";
    data.y = Matrix::Zero(2, 1);
    EXPECT_EQ(heads_for_every_function(data), 8) << "o d";
    data.y = Matrix::Zero(3, 1);
    EXPECT_EQ(heads_for_every_function(data), 10) << "o d = 12 is more than enough";
}

}  // namespace

}  // namespace attest::test
