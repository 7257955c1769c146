#include "core/questions/evidence.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/features/predict.hpp"
#include "core/questions/certify.hpp"
#include "core/questions/explanation_words.hpp"
#include "tests/core/questions/audit_examples.hpp"
#include "tests/core/questions/planted_layers.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/layer_examples.hpp"
#include "tests/support/sources.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace attest {

namespace {

QueryAudit audited(const Dataset& data, const Dataset& queries) {
    const DatasetSource source(data);
    return audit_queries(FactoredSource(source), certify_rank(data), queries);
}

TEST(QueryAudit, CountsWhatIsDeterminedAndHoldsOneOpenQueryAgainstTheData) {
    const Dataset data = test::planted(40, 1);  // single tokens: rank 4 of 6
    const Dataset inside = test::planted(3, 1, 8);
    const Dataset mixed = concatenate(inside, test::planted(2, 3, 8));

    const QueryAudit all = audited(data, inside);
    const QueryAudit some = audited(data, mixed);

    EXPECT_EQ(all.verdict, DataVerdict::determined);
    EXPECT_EQ(all.determined, 3);
    EXPECT_TRUE(all.proof);
    EXPECT_EQ(some.verdict, DataVerdict::not_determined);
    EXPECT_EQ(some.determined, 3);
    EXPECT_EQ(some.not_determined, 2);
    EXPECT_TRUE(some.proof);
    EXPECT_TRUE(std::isfinite(some.leverages(0)));
    EXPECT_TRUE(std::isinf(some.leverages(4)));
}

TEST(QueryAudit, RefusesQueriesOfAnotherDimension) {
    const Dataset data = test::planted(40, 1);

    EXPECT_REFUSED("queries: tokens have 1 entries, the data have 2",
                   audited(data, test::scalars(Matrix{{1, 2}})));
}

Certification certified(const Dataset& data) {
    const DatasetSource source(data);
    CertifyRequest request;
    request.level = CertifyLevel::exact;
    return certify(FactoredSource(source), request);
}

TEST(StructureAudit, CallsDeterminedWhatTheLayerAloneLeavesOpen) {
    const Certification found =
        certified(test::layer_data({.layer = "lags=2", .n = {4, 4}, .count = 60}));
    ASSERT_TRUE(found.exact()->structure);
    EXPECT_TRUE(found.exact()->structure->determined_on_all(found.exact()->rank));
    EXPECT_EQ(found.verdict, DataVerdict::determined);
}

TEST(StructureAudit, TellsTheLengthsSeenFromAllLengths) {
    const Certification found =
        certified(test::layer_data({.layer = "linear", .n = {1, 1}, .count = 30}));
    ASSERT_TRUE(found.exact()->structure);
    EXPECT_TRUE(found.exact()->structure->determined_on_seen(found.exact()->rank));
    EXPECT_FALSE(found.exact()->structure->determined_on_all(found.exact()->rank));
    EXPECT_EQ(found.verdict, DataVerdict::not_determined);
}

/// With window=1 and the first token asking, features are squares of the last token times the first
/// one: of rank 4 from four examples, as those whose last token asks are, but of another space.
TEST(StructureAudit, ComparesWithASpaceThatHoldsTheData) {
    Dataset data = test::layer_data({.layer = "window=1", .n = {3, 3}, .count = 4, .levels = 5});
    data.query.assign(4, 0);
    const Certification found = certified(data);
    EXPECT_EQ(found.exact()->rank.rank_lower, 4);
    EXPECT_EQ(found.verdict, DataVerdict::not_determined);
}

TEST(StructureAudit, IsOfDeficientDataOnly) {
    EXPECT_FALSE(certified(test::layer_data({.layer = "linear", .n = {3, 3}, .count = 30}))
                     .exact()
                     ->structure);
}

TEST(WitnessAudit, WithoutLabelsStandsBesideTheZeroFunction) {
    // z = 0 alone: no p is refuted, and nothing of the data needs to be factored.
    const Dataset data = test::scalars(Matrix{{0, 0}});
    const test::CountedSource source(data);
    const ExactRank rank = certify_rank(data, {NullVectors::all, {}});

    const WitnessAudit found = *search_witness(FactoredSource(source), rank, nullptr).found;

    EXPECT_EQ(found.models[0].P, Matrix::Zero(1, 1));
    EXPECT_NE(found.models[1].P(0, 0), 0.0);
    EXPECT_EQ(found.models[1].heads.num_heads(), 1);
    EXPECT_EQ(source.passes(), 0);
}

TEST(WitnessAudit, DisagreesOnTheFirstQuery) {
    const Dataset data = test::planted(40, 1);
    const Dataset queries = test::planted(2, 3, 8);
    const DatasetSource source(data);
    const ExactRank rank = certify_rank(data, {NullVectors::all, {}});

    const WitnessAudit found = *search_witness(FactoredSource(source), rank, &queries).found;

    ASSERT_EQ(found.witness.input.tokens.cols(), 3);
    EXPECT_EQ(found.witness.input.tokens.view(), queries.tokens.view().leftCols(3));
    const DatasetSource input(found.witness.input);
    EXPECT_NE(predict(found.models[0].P, input)(0, 0), predict(found.models[1].P, input)(0, 0));
}

// Four examples, one feature, one label: every quantity is a sum of few products of few bits, each
// rounded once; square roots and the factorisation of four rows are backward stable.
const double kRounding = 30.0 * gamma_bound(4);

ModelAudit audited(const Model& model, const Dataset* queries) {
    const Dataset data = test::one_sign_wrong();
    const DatasetSource source(data);
    return audit_model(FactoredSource(source), model, "mine.npz", queries);
}

Model constant(double p) {
    return {1, 1, Matrix::Constant(1, 1, p), {1, 1, {}}, ""};
}

TEST(ModelAudit, ByHand) {
    // Risk of p = 1: (0 + 0 + 0 + 4)/4. At z the leverage is z⁶, so two models of that risk differ
    // by at most 2√(1/4)·z³, and p = 1 is z³/2 from the minimiser.
    const Dataset queries = test::scalars(Matrix{{1.0, 0.5}});

    const ModelAudit found = audited(constant(1.0), &queries);

    EXPECT_EQ(found.risk, 1.0);
    EXPECT_NEAR(found.least_risk, 0.75, kRounding);
    EXPECT_NEAR(found.queries[0].may_differ_by, 1.0, kRounding);
    EXPECT_NEAR(found.queries[1].may_differ_by, 0.125, kRounding);
    EXPECT_NEAR(found.queries[0].distance_to_minimiser, 0.5, kRounding);
    EXPECT_NEAR(found.may_differ_by_at_most(), 1.0, kRounding);
    EXPECT_FALSE(found.queries[0].same_token());
    EXPECT_TRUE(found.queries[1].same_token());
    EXPECT_EQ(found.same_tokens(), 1);
}

TEST(ModelAudit, OfTheBestModelIsUnboundedWhereTheDataSayNothing) {
    // All examples are z = 0 with label 0: the feature z³ = 1 of the query is in no example, so
    // that models of the least risk 0 differ by any amount, not by 0·∞.
    Dataset data = test::scalars(Matrix{{0, 0}});
    data.labels = LabelKind::per_sequence;
    data.y = Matrix::Zero(1, 2);
    const DatasetSource source(data);
    const Dataset query = test::scalars(Matrix{{1.0}});

    const ModelAudit found = audit_model(FactoredSource(source), constant(1.0), "mine", &query);

    EXPECT_EQ(found.risk, found.least_risk);
    EXPECT_TRUE(std::isinf(found.queries[0].may_differ_by));
}

TEST(ModelAudit, TheLeastRiskOfDeficientDataIsThatOfTheirMinimiser) {
    // One input twice with the labels 0 and 1: every model has the risk 1/4 at least.
    Dataset data = test::planted(1, 1);
    data = concatenate(data, data);
    data.labels = LabelKind::per_sequence;
    data.y = Matrix{{0.0, 1.0}};
    data.truth = {};
    const DatasetSource source(data);
    const FactoredSource factored(source);
    ASSERT_LT(factored.factor().R.rows(), factored.factor().R.cols()) << "N < psi";
    Model best;
    best.d = data.d();
    best.o = 1;
    best.P = factored.minimiser().P;

    const ModelAudit found = audit_model(factored, best, "mine", &data);

    // At the minimum a risk changes by squares of the outputs' errors, of a few roundings each.
    EXPECT_NEAR(found.risk, 0.25, kRounding);
    EXPECT_NEAR(found.least_risk, 0.25, kRounding) << "not 0, what N < psi would give at full rank";
}

TEST(ModelAudit, TheLeastRiskIsNeverAboveTheModelsOwn) {
    // Labels z³/3, each rounded once: no coefficient has less risk than the planted 1/3, whose own
    // risk is 0, but the factorisation leaves squares of roundings.
    Dataset data = test::scalars(Matrix{{1.0, 2.0, 3.0, 5.0}});
    const Model planted = constant(1.0 / 3.0);
    data.y = predict(planted.P, DatasetSource(data));
    data.labels = LabelKind::per_sequence;
    const DatasetSource source(data);
    const FactoredSource factored(source);
    ASSERT_GT(factored.factor().residual, 0.0) << "no rounding: the example shows nothing";

    const ModelAudit found = audit_model(factored, planted, "mine", nullptr);

    EXPECT_EQ(found.risk, 0.0);
    EXPECT_EQ(found.least_risk, 0.0);
}

TEST(ModelAudit, SameTokenMeansBelowOneHalf) {
    EXPECT_TRUE((ModelOnQuery{std::nextafter(0.25, 0.0), 0.0, 0.25}.same_token()));
    EXPECT_FALSE((ModelOnQuery{0.25, 0.0, 0.25}.same_token()));
}

TEST(ModelAudit, OfHeadsAloneIsThatOfTheirCoefficients) {
    const Head head{Matrix::Constant(1, 1, 2.0), Matrix::Constant(1, 1, 0.5)};
    const Model heads{1, 1, Matrix(), {1, 1, {head}}, ""};

    EXPECT_EQ(audited(heads, nullptr).risk, audited(constant(1.0), nullptr).risk);
    EXPECT_TRUE(audited(heads, nullptr).queries.empty());
}

TEST(ModelAudit, RefusesAModelOfAnotherSizeAndDataWithoutLabels) {
    const Model wide{1, 2, Matrix::Zero(1, 2), {1, 2, {}}, ""};
    const Dataset unlabelled = test::scalars(Matrix{{1, 1}});
    const DatasetSource source(unlabelled);

    EXPECT_REFUSED("mine.npz: layer linear, d = 1 and o = 2 do not match the labelled data",
                   audited(wide, nullptr));
    EXPECT_REFUSED("m: layer linear, d = 1 and o = 1 do not match the labelled data",
                   audit_model(FactoredSource(source), constant(1.0), "m", nullptr));
}

TEST(Margin, IsWithheldWhereItCostsMoreThanTheProof) {
    // d = 1, ψ = 1: the spectrum is cheap up to 1e10 examples, the enclosure up to 1e7.
    const Dataset data = test::one_sign_wrong();
    const ExactRank rank = certify_rank(data);
    const DatasetSource source(data);

    const std::optional<Margin> margin = margin_where_cheap(FactoredSource(source), rank);

    ASSERT_TRUE(margin && margin->enclosure);
    EXPECT_LE(to_double(margin->enclosure->lo), 1.0) << "the second moment of z = 1";
    EXPECT_GE(to_double(margin->enclosure->hi), 1.0);
}

/// A source that says it is large; nobody may read it.
class Large final : public MomentSource {
public:
    explicit Large(Index num_examples) : num_examples_(num_examples) {}

    [[nodiscard]] SourceShape shape() const override { return {1, 0, num_examples_, 1}; }

    [[nodiscard]] MomentBatch block(Index /*b*/) const override { throw std::logic_error("read"); }

private:
    Index num_examples_;
};

TEST(Margin, OfLargeDataIsNotEvenBegun) {
    const ExactRank rank;
    const Large beyond(20'000'000'000);
    const Large within(5'000'000'000);

    EXPECT_FALSE(margin_where_cheap(FactoredSource(beyond), rank));
    EXPECT_ANY_THROW((void)margin_where_cheap(FactoredSource(within), rank));
}

/// Every token with a recorded key makes exact numbers longer; the proof of the rank does not
/// mind.
TEST(Margin, OfLongSequencesWithRecordedKeysHasNoEnclosure) {
    for (const std::string layer : {"delta", "delta gates=vector"}) {
        for (const Index n : {4, 150}) {
            const Dataset data =
                test::layer_data({.layer = layer, .n = {n, n}, .count = 150, .levels = 0});
            const DatasetSource source(data);
            const ExactRank rank = certify_rank(data);
            EXPECT_EQ(rank.verdict, RankVerdict::full_rank) << layer;

            const std::optional<Margin> margin = margin_where_cheap(FactoredSource(source), rank);

            ASSERT_TRUE(margin) << layer;
            EXPECT_EQ(margin->enclosure.has_value(), n == 4) << layer;
        }
    }
}

TEST(Margin, OfAProvedDeficiencyHasNoEnclosure) {
    const Dataset data = test::planted(40, 1);
    const test::CountedSource source(data);

    const std::optional<Margin> margin =
        margin_where_cheap(FactoredSource(source), certify_rank(data));

    ASSERT_TRUE(margin);
    EXPECT_EQ(margin->spectrum.nullity(), 2);
    EXPECT_FALSE(margin->enclosure);
    EXPECT_EQ(source.passes(), 1);
}

// As in model_audit_test.cpp, relative to the value.
const double kNoiseRounding = 30.0 * gamma_bound(4);

TEST(RiskElsewhere, ByHand) {
    // The leverage of z = 2 is 8² = 64, so σ²·trace/N = 0.25·64/4.
    const Dataset data = test::one_sign_wrong();
    const DatasetSource source(data);
    const Dataset other = test::scalars(Matrix{{2}});

    const OutOfDistribution found = risk_elsewhere(FactoredSource(source), other, "other", 0.5);

    EXPECT_EQ(found.sigma, 0.5);
    EXPECT_NEAR(found.trace / 64.0, 1.0, kNoiseRounding);
    EXPECT_NEAR(found.excess_risk / 4.0, 1.0, kNoiseRounding);
}

TEST(RiskElsewhere, EstimatesTheNoiseFromWhatTheLabelsLeave) {
    // The minimiser 1/2 leaves squares of 1/4, 1/4, 1/4 and 9/4, with 4 − 1 degrees of freedom.
    const Dataset data = test::one_sign_wrong();
    const DatasetSource source(data);

    const OutOfDistribution found =
        risk_elsewhere(FactoredSource(source), data, "data", std::nullopt);

    EXPECT_NEAR(found.sigma, 1.0, kNoiseRounding);
    EXPECT_NEAR(found.trace, 1.0, kNoiseRounding) << "psi on the data themselves";
}

TEST(RiskElsewhere, CannotEstimateNoiseThatTheLabelsDoNotShow) {
    Dataset few = test::one_sign_wrong();
    few = subset(few, 0, 1);
    const DatasetSource source(few);
    const Dataset unlabelled = test::scalars(Matrix{{1, 1}});
    const DatasetSource none(unlabelled);
    const std::string expected =
        "certify: --noise cannot be estimated without labels or with N <= psi; give --noise S";

    EXPECT_EQ(test::invalid_input_message(
                  [&] { (void)risk_elsewhere(FactoredSource(source), few, "few", std::nullopt); }),
              expected);
    EXPECT_EQ(test::invalid_input_message(
                  [&] { (void)risk_elsewhere(FactoredSource(none), few, "few", std::nullopt); }),
              expected);
    EXPECT_EQ(risk_elsewhere(FactoredSource(none), few, "few", 0.0).excess_risk, 0.0);
}

TEST(RiskElsewhere, RefusesDataOfAnotherDimension) {
    const Dataset data = test::planted(40, 3);
    const DatasetSource source(data);

    EXPECT_REFUSED("far.npz: tokens have 1 entries, the data 2",
                   risk_elsewhere(FactoredSource(source), test::one_sign_wrong(), "far.npz", 1.0));
}

TEST(DistanceToTruth, ByHand) {
    // One degree of freedom: energy σ²(1 + 2√t + 2t), t = log 20; divided by N = 4, times z⁶.
    const Dataset data = test::one_sign_wrong();
    const DatasetSource source(data);
    const Dataset queries = test::scalars(Matrix{{1, 2}});
    const double t = std::log(20.0);
    const double expected = std::sqrt(0.25 * (1.0 + 2.0 * std::sqrt(t) + 2.0 * t) / 4.0);

    const TruthDistance found = distance_to_truth(FactoredSource(source), queries, 0.5);

    EXPECT_NEAR(found.within(0) / expected, 1.0, kNoiseRounding);
    EXPECT_NEAR(found.within(1) / expected, 8.0, 8.0 * kNoiseRounding);
    EXPECT_EQ(found.at_most, found.within(1));
    EXPECT_EQ(found.confidence, 0.95);
}

TEST(ShownExplanation, HasEveryClassWithItsCause) {
    const Dataset data = test::layer_with_a_dead_coordinate().data;
    const Explanation why = explain(data, certify_rank(data), std::nullopt);
    const nlohmann::ordered_json json = explanation_json(why);
    ASSERT_EQ(json["classes"].size(), why.classes.size());
    EXPECT_EQ(json["classes"][0]["cause"], "zero_coordinate");
    EXPECT_EQ(json["classes"][0]["coordinates"][0], 2);
    EXPECT_EQ(json["listed"], json["nullity_at_most"]);
    EXPECT_EQ(relation_in_words(why.classes[0]), "z_2 = 0, times any entry of s");
}

}  // namespace

}  // namespace attest
