#include "core/audit/layer_audit.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/heads/minimal_heads.hpp"
#include "tests/core/audit/audit_examples.hpp"
#include "tests/core/audit/planted_layers.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

using test::PlantedLayer;

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
    const PlantedLayer layer{{1, 1, Matrix::Constant(1, 1, 1.0), {1, 1, {}}, ""},
                             test::one_sign_wrong()};
    const Dataset held_out = test::scalars(Matrix{{0.5, 1.0}});

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
    const PlantedLayer layer = test::layer_with_a_dead_coordinate();
    const Dataset held_out = test::fresh_inputs(layer, 5);

    const LayerAudit found = audited(layer, &held_out);

    for (const HeldOutInput& one : found.held_out) {
        EXPECT_EQ(one.verdict, Determination::not_determined);
        EXPECT_TRUE(std::isinf(*one.may_differ_by));
        ASSERT_FALSE(one.broken.empty());
        for (const Index number : one.broken) {
            EXPECT_EQ(found.found.explanation->classes[static_cast<std::size_t>(number)].cause.kind,
                      CauseKind::zero_coordinate);
        }
    }
    const LayerAudit own = audited(layer, &layer.data);
    for (const HeldOutInput& one : own.held_out) {
        EXPECT_EQ(one.verdict, Determination::determined);
        EXPECT_TRUE(one.broken.empty());
    }
}

TEST(LayerAudit, FindsTheHeadsThatMadeTheLabels) {
    PlantedLayer layer = test::healthy_layer();
    layer.model.heads.heads.push_back(layer.model.heads.heads.front());
    layer.model.P *= 2.0;
    const LayerAudit found = audited(layer);
    EXPECT_EQ(found.heads.has, 2);
    EXPECT_EQ(found.heads.at_least, 1);
    EXPECT_EQ(found.heads.found, 1);
    EXPECT_TRUE(found.heads.same_everywhere);
    EXPECT_LT(found.heads.fewer.front().loss, kSameFunction * kSameFunction);
}

TEST(LayerAudit, NamesWhatDoesNotCarryOver) {
    PlantedLayer layer = test::healthy_layer();
    layer.data.labels = LabelKind::none;
    layer.data.y.resize(0, 0);
    const LayerAudit found = audited(layer);
    EXPECT_FALSE(found.risk.has_value());
    std::string named;
    for (const LeftOut& one : found.left_out) {
        named += one.what + ": " + one.why + "\n";
    }
    EXPECT_NE(named.find("how good the layer is"), std::string::npos) << named;
    EXPECT_NE(named.find("label noise"), std::string::npos) << named;
    EXPECT_NE(named.find("--held-out"), std::string::npos) << named;
}

TEST(LayerAudit, RefusesWhatDoesNotFitTogether) {
    PlantedLayer layer = test::healthy_layer();
    const Dataset wide = test::scalars(Matrix{{1.0}});
    EXPECT_EQ(
        test::invalid_input_message([&] { (void)audited(layer, &wide); }),
        "model: layer linear and d = 3 do not match held-out data, of layer linear and d = 1");
    layer.data.y.conservativeResize(1, Eigen::NoChange);
    EXPECT_EQ(test::invalid_input_message([&] { (void)audited(layer); }),
              "model: 2 outputs, but the data have labels of 1 entries");
}

}  // namespace
}  // namespace attest
