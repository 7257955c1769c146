#include "core/questions/learn.hpp"

#include "core/base/error.hpp"
#include "core/features/coefficients.hpp"
#include "core/layers/parse_layer.hpp"
#include "tests/core/questions/audit_examples.hpp"
#include "tests/core/questions/planted_layers.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/sources.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

Learned learned(const MomentSource& source, const LearnRequest& request) {
    return learn(FactoredSource(source), request, {});
}

TEST(Learn, IsLeastSquaresThenHeads) {
    const Dataset data = test::planted(60, 3);
    const test::CountedSource source(data);
    LearnRequest request;
    request.solver = "svd";

    const Learned found = learned(source, request);

    EXPECT_EQ(source.passes(), 2) << "the solver's and the risk's";
    EXPECT_EQ(found.fit.solver, "svd");
    EXPECT_EQ(found.model.P, found.fit.P);
    EXPECT_FALSE(found.reduction);
    EXPECT_EQ(found.risk.risk, empirical_risk(found.model.P, source).risk);
}

TEST(Learn, WithFewerHeadsLearnsTheirCoefficients) {
    const Dataset data = test::planted(60, 3);  // one planted head
    const test::CountedSource source(data);
    LearnRequest request;
    request.solver = "svd";
    request.heads.choice = HeadChoice::fewest;

    const Learned found = learned(source, request);

    ASSERT_TRUE(found.reduction);
    EXPECT_EQ(found.model.heads.num_heads(), 1);
    EXPECT_TRUE(found.reduction->loss.on_data);
    EXPECT_EQ(found.model.P, coefficients(found.model.heads));
    EXPECT_LE(source.passes(), 3) << "at most one more, for the norm of the data";
}

TEST(Learn, SaysWhichSolverRefusedAndWhatToTry) {
    const Dataset data = test::planted(60, 1);  // rank 4 of 6
    LearnRequest request;
    request.solver = "tsqr";
    const DatasetSource source(data);

    try {
        (void)learned(source, request);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const NotAvailable& error) {
        const std::string message = error.what();
        EXPECT_EQ(message.rfind("solver tsqr refuses: numerically rank deficient", 0), 0U)
            << message;
        EXPECT_SAYS(message, "; try --solver svd");
    }
}

TEST(ModelOf, HasTheHeadsOfItsLayer) {
    test::PlantedLayer layer = test::healthy_layer();
    const DatasetSource source(layer.data);
    const Model linear = model_of(source, layer.model.P);
    EXPECT_EQ(num_heads(linear), linear.heads.num_heads());
    EXPECT_GT(num_heads(linear), 0);

    layer.data.layer = layer_named("decay=1/2");
    const DatasetSource decayed(layer.data);
    const Model other = model_of(decayed, layer.model.P);
    EXPECT_EQ(num_heads(other), std::ssize(other.layer_heads.heads));
    EXPECT_GT(num_heads(other), 0);
}

TEST(NumHeads, IsZeroForCoefficientsOnly) {
    EXPECT_EQ(num_heads({1, 1, Matrix::Zero(1, 1), {1, 1, {}}, ""}), 0);
}

}  // namespace

}  // namespace attest
