#include "core/questions/audit.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/minimal_heads.hpp"
#include "tests/core/questions/audit_examples.hpp"
#include "tests/core/questions/planted_layers.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace attest::test {
namespace {

LayerAudit audited(const PlantedLayer& layer, const Dataset* held_out = nullptr) {
    const DatasetSource source(layer.data);
    LayerAuditRequest request;
    request.held_out = held_out;
    request.head_budget = 2.0;
    return audit_layer(FactoredSource(source), layer.model, request);
}

TEST(LayerAudit, ByHand) {
    // d = 1, four examples z = 1 with labels 1, 1, 1, −1: the best p is 1/2 with risk 3/4, p = 1
    // has risk 1. One feature, so every example has a quarter of the say.
    const PlantedLayer layer{{1, 1, Matrix::Constant(1, 1, 1.0), {1, 1, {}}, ""}, one_sign_wrong()};
    const Dataset held_out = scalars(Matrix{{0.5, 1.0}});

    const LayerAudit found = audited(layer, &held_out);

    const double rounding = 30.0 * gamma_bound(4);
    EXPECT_EQ(found.found.model->risk, 1.0);
    EXPECT_NEAR(found.found.model->least_risk, 0.75, rounding);
    EXPECT_NEAR(found.influences[0].share, 0.25, rounding);
    EXPECT_NEAR(*found.held_out[0].may_differ_by, 0.125, rounding);
    EXPECT_NEAR(found.noise->sigma, 1.0, rounding) << "what is left, 3, over N − ψ = 3";
    EXPECT_NEAR(found.noise->excess_risk, 0.25, rounding) << "σ² o r/N";
    EXPECT_NEAR(*found.noise->held_out_excess, (1.0 / 64.0 + 1.0) / 2.0 / 4.0, rounding);
    ASSERT_EQ(found.duplicates.size(), 1U);
    EXPECT_EQ(found.duplicates[0].sequences, (std::vector<Index>{0, 1, 2, 3}));
    EXPECT_EQ(found.duplicates[0].labels_differ_by, 2.0);
    ASSERT_EQ(found.seen.size(), 1U);
    EXPECT_EQ(found.seen[0].number, 1);
    EXPECT_EQ(found.seen[0].as, 0);
}

TEST(LayerAudit, SaysWhichRelationAHeldOutInputBreaks) {
    const PlantedLayer layer = layer_with_a_dead_coordinate();
    const Dataset held_out = fresh_inputs(layer, 5);

    const LayerAudit found = audited(layer, &held_out);

    for (const HeldOutInput& one : found.held_out) {
        EXPECT_EQ(one.verdict, Determination::not_determined);
        EXPECT_TRUE(std::isinf(*one.may_differ_by));
        ASSERT_FALSE(one.broken.empty());
        for (const Index number : one.broken) {
            EXPECT_EQ(
                found.exact().explanation->classes[static_cast<std::size_t>(number)].cause.kind,
                CauseKind::zero_coordinate);
        }
    }
    const LayerAudit own = audited(layer, &layer.data);
    for (const HeldOutInput& one : own.held_out) {
        EXPECT_EQ(one.verdict, Determination::determined);
        EXPECT_TRUE(one.broken.empty());
    }
}

TEST(LayerAudit, OfQueriesThatAreAllZeroNamesThem) {
    PlantedLayer layer = healthy_layer();
    for (Index i = 0; i < layer.data.num_sequences(); ++i) {
        layer.data.tokens.own().col(layer.data.query_token(i)).setZero();
    }
    layer.data.y.setZero();

    const LayerAudit found = audited(layer);

    EXPECT_EQ(found.exact().rank.rank_upper, 0);
    ASSERT_EQ(found.exact().explanation->classes.size(), 1U);
    EXPECT_EQ(found.exact().explanation->classes[0].cause.kind, CauseKind::zero_query);
    EXPECT_SAYS(found.heads.not_sought, "every feature of the data is 0");
    EXPECT_TRUE(std::any_of(found.left_out.begin(), found.left_out.end(), [&](const auto& one) {
        return one.why == found.heads.not_sought;
    }));
}

TEST(LayerAudit, FindsTheHeadsThatMadeTheLabels) {
    PlantedLayer layer = healthy_layer();
    layer.model.heads.heads.push_back(layer.model.heads.heads.front());
    layer.model.P *= 2.0;
    const LayerAudit found = audited(layer);
    EXPECT_EQ(found.heads.has, 2);
    EXPECT_EQ(found.heads.at_least, 1);
    EXPECT_EQ(found.heads.found, 1);
    EXPECT_TRUE(found.heads.same_everywhere);
    EXPECT_LT(found.heads.fewer.front().loss, kSameFunction * kSameFunction);
}

TEST(LayerAudit, ComparesHeadsOfLowRankWithHeadsOfTheirSizes) {
    PlantedLayer layer = healthy_layer();
    EXPECT_FALSE(audited(layer).exact().few_heads->sizes.has_value()) << "its heads are full";

    Head& head = layer.model.heads.heads.front();
    head.V.row(1) = 2.0 * head.V.row(0);
    head.Q.row(2) = head.Q.row(0) - head.Q.row(1);
    layer.model.P = coefficients(layer.model.heads);
    const LayerAudit found = audited(layer);

    ASSERT_TRUE(found.exact().few_heads->sizes.has_value());
    EXPECT_EQ(found.exact().few_heads->sizes->key, 2);
    EXPECT_EQ(found.exact().few_heads->sizes->value, 1);
    EXPECT_EQ(found.exact().few_heads->parameters, (2 + 3) * 1 + (3 + 3) * 2);
    EXPECT_EQ(found.exact().few_heads->verdict, LocalVerdict::determined);
}

TEST(LayerAudit, SaysHowLongMoreExamplesTakeWhereSomebodyWouldWait) {
    LayerAudit audit;
    audit.found.evidence = ExactEvidence();
    auto& rank = std::get<ExactEvidence>(audit.found.evidence).rank;
    rank.num_examples = audit.num_examples = audit.plan.size.num_examples = 300;
    rank.psi = audit.psi = audit.plan.size.psi = 8704;
    const std::string slow = observations(audit, Uniqueness::none).front().advice;
    EXPECT_SAYS(slow, "Record at least 8404 distinct examples more, 8704 in all");
    EXPECT_SAYS(slow, "take about ");

    audit.psi = audit.plan.size.psi = 310;
    const std::string quick = observations(audit, Uniqueness::none).front().advice;
    EXPECT_EQ(quick, "Record at least 10 distinct examples more, 310 in all.");
}

TEST(LayerAudit, NamesWhatDoesNotCarryOver) {
    PlantedLayer layer = healthy_layer();
    layer.data.labels = LabelKind::none;
    layer.data.y.resize(0, 0);
    const LayerAudit found = audited(layer);
    EXPECT_FALSE(found.risk.has_value());
    std::string named;
    for (const LeftOut& one : found.left_out) {
        named += one.what + ": " + one.why + "\n";
    }
    EXPECT_SAYS(named, "how good the layer is");
    EXPECT_SAYS(named, "label noise");
    EXPECT_SAYS(named, "--held-out");
}

TEST(LayerAudit, RefusesWhatDoesNotFitTogether) {
    PlantedLayer layer = healthy_layer();
    const Dataset wide = scalars(Matrix{{1.0}});
    EXPECT_REFUSED(
        "model: layer linear and d = 3 do not match held-out data, of layer linear and d = 1",
        audited(layer, &wide));
    layer.data.y.conservativeResize(1, Eigen::NoChange);
    EXPECT_REFUSED("model: 2 outputs, but the data have labels of 1 entries", audited(layer));
}

AuditSummary summary_of(const PlantedLayer& layer, const Dataset* held_out = nullptr) {
    const DatasetSource source(layer.data);
    LayerAuditRequest request;
    request.held_out = held_out;
    request.head_budget = 2.0;
    return summarise(audit_layer(FactoredSource(source), layer.model, request));
}

std::vector<std::string> kinds(const AuditSummary& summary, Concern concern) {
    std::vector<std::string> found;
    for (const Observation& one : summary.observations) {
        if (one.concern == concern) {
            found.push_back(one.kind);
        }
    }
    return found;
}

bool alarms_of(const AuditSummary& summary, const std::string& kind) {
    const std::vector<std::string> found = kinds(summary, Concern::alarm);
    return std::find(found.begin(), found.end(), kind) != found.end();
}

TEST(AuditSummary, OfAHealthyLayerSaysNothingAlarming) {
    const PlantedLayer layer = healthy_layer();
    const Dataset held_out = fresh_inputs(layer, 10);
    const AuditSummary summary = summary_of(layer, &held_out);
    EXPECT_EQ(summary.unique, Uniqueness::everywhere);
    EXPECT_TRUE(summary.observations.empty()) << summary.observations.front().sentence;
    EXPECT_EQ(summary.what_to_do(), std::vector<std::string>{"Nothing: no alarm."});
}

TEST(AuditSummary, NamesThePlantedCause) {
    const auto expect_cause = [](const PlantedLayer& layer, const std::string& kind) {
        const AuditSummary summary = summary_of(layer);
        EXPECT_EQ(summary.unique, Uniqueness::none) << kind;
        EXPECT_EQ(kinds(summary, Concern::alarm), std::vector<std::string>{kind});
        EXPECT_SAYS(summary.what_to_do().front(), "Record");
    };
    expect_cause(layer_with_a_dead_coordinate(), "zero_coordinate");
    expect_cause(layer_of_repeated_tokens(), "repeated_tokens");
    expect_cause(healthy_layer(7), "too_few_examples");
    EXPECT_TRUE(alarms_of(summary_of(layer_of_constants()), "collinear"));
    EXPECT_TRUE(alarms_of(summary_of(layer_of_one_hot_tokens()), "one_hot"));
}

TEST(AuditSummary, NamesConstantCoordinates) {
    const std::vector<std::string> notes = kinds(summary_of(layer_of_constants()), Concern::note);
    EXPECT_NE(std::find(notes.begin(), notes.end(), "constant_coordinate"), notes.end());
}

TEST(AuditSummary, AlarmsAtHeldOutInputsThatWereSeenOrAreOpen) {
    const PlantedLayer layer = layer_with_a_dead_coordinate();
    const Dataset open = fresh_inputs(layer, 3);
    EXPECT_TRUE(alarms_of(summary_of(layer, &open), "held_out_open"));
    const AuditSummary seen = summary_of(layer, &layer.data);
    EXPECT_TRUE(alarms_of(seen, "held_out_seen"));
    EXPECT_FALSE(alarms_of(seen, "held_out_open"));
}

TEST(AuditSummary, IsNotDecidedByHeldOutInputsThatTestNothing) {
    const PlantedLayer layer = layer_with_a_dead_coordinate();
    const AuditSummary seen = summary_of(layer, &layer.data);
    EXPECT_EQ(seen.unique, Uniqueness::undecided);
    EXPECT_SAYS(seen.unique_in_words, "every held-out sequence stands in the data");
    EXPECT_EQ(decision(seen.unique), Decision::undecided);
    const Dataset some = subset(layer.data, 0, 2);
    EXPECT_EQ(summary_of(layer, &some).unique, Uniqueness::undecided);

    Dataset with_a_new_one = concatenate(some, subset(layer.data, 2, 3));
    with_a_new_one.tokens.own().rightCols(1) *= 2.0;
    EXPECT_EQ(summary_of(layer, &with_a_new_one).unique, Uniqueness::held_out)
        << "the last input is new, and has the same dead coordinate";
    const PlantedLayer healthy = healthy_layer();
    EXPECT_EQ(summary_of(healthy, &healthy.data).unique, Uniqueness::everywhere);
}

TEST(AuditSummary, AlarmsAtLabelsThatNoFunctionHas) {
    PlantedLayer layer = healthy_layer();
    layer.data = concatenate(layer.data, subset(layer.data, 0, 1));
    EXPECT_EQ(kinds(summary_of(layer), Concern::note), std::vector<std::string>{"duplicates"});
    layer.data.y(0, 0) += 1.0;
    EXPECT_TRUE(alarms_of(summary_of(layer), "contradictory_labels"));
}

TEST(AuditSummary, ComparesTheLayerWithTheBestOne) {
    PlantedLayer layer = healthy_layer();
    layer.model.P *= 1.0 + 0x1p-10;
    EXPECT_TRUE(summary_of(layer).observations.empty()) << "bfloat16 would do as much";
    layer.model.P *= 1.5;
    EXPECT_EQ(kinds(summary_of(layer), Concern::note),
              std::vector<std::string>{"not_the_best_layer"});
    layer.model.P *= -1.0;
    EXPECT_TRUE(alarms_of(summary_of(layer), "no_better_than_zero"));
}

TEST(AuditSummary, FindsADeficiencyHarmlessWhereItIsTheLayersOwn) {
    // One token an example: z zᵀ ⊗ z has rank 4 of 6 on such data, but d = 2 of length 1 is all
    // that the lengths seen allow.
    PlantedLayer layer{{2, 2, Matrix::Zero(6, 2), {2, 2, {}}, ""}, planted(30, 1)};
    const AuditSummary summary = summary_of(layer);
    EXPECT_EQ(summary.unique, Uniqueness::lengths_seen);
    EXPECT_SAYS(summary.unique_in_words, "1 token");
}

TEST(Duplicates, AreEqualInputsWhateverTheirLabels) {
    Dataset data = scalars(Matrix{{1, 2, 1, 3, 2, 1}});
    data.labels = LabelKind::per_sequence;
    data.y = Matrix{{0, 5, 0, 0, 5, -3}};
    const std::vector<DuplicateGroup> groups = duplicate_groups(data);
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0].sequences, (std::vector<Index>{0, 2, 5}));
    EXPECT_EQ(groups[0].labels_differ_by, 3.0);
    EXPECT_EQ(groups[1].sequences, (std::vector<Index>{1, 4}));
    EXPECT_EQ(groups[1].labels_differ_by, 0.0);
}

TEST(Duplicates, DifferInTheQueryOrInATokensOrder) {
    Dataset data;
    data.tokens = Matrix{{1, 2, 2, 1, 1, 2}};
    data.offsets = {0, 2, 4, 6};
    data.query = {0, 1, 1};
    EXPECT_TRUE(duplicate_groups(data).empty());
    data.query[2] = 0;
    EXPECT_EQ(duplicate_groups(data).size(), 1U);
}

TEST(SeenBefore, NamesTheFirstOfItsKind) {
    const Dataset data = scalars(Matrix{{4, 1, 1}});
    const std::vector<SeenBefore> seen = seen_before(data, scalars(Matrix{{2, 1, 4}}));
    ASSERT_EQ(seen.size(), 2U);
    EXPECT_EQ(seen[0].number, 1);
    EXPECT_EQ(seen[0].as, 1);
    EXPECT_EQ(seen[1].number, 2);
    EXPECT_EQ(seen[1].as, 0);
}

}  // namespace

}  // namespace attest::test
