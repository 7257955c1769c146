#include "core/audit/model_audit.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/features/predict.hpp"
#include "tests/core/audit/audit_examples.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

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

    EXPECT_EQ(test::invalid_input_message([&] { (void)audited(wide, nullptr); }),
              "mine.npz: layer linear, d = 1 and o = 2 do not match the labelled data");
    EXPECT_EQ(test::invalid_input_message(
                  [&] { (void)audit_model(FactoredSource(source), constant(1.0), "m", nullptr); }),
              "m: layer linear, d = 1 and o = 1 do not match the labelled data");
}

}  // namespace
}  // namespace attest
