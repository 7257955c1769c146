#include "core/audit/label_noise.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "tests/core/audit/audit_examples.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

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

    EXPECT_EQ(test::invalid_input_message([&] {
                  (void)risk_elsewhere(
                      FactoredSource(source), test::one_sign_wrong(), "far.npz", 1.0);
              }),
              "far.npz: tokens have 1 entries, the data 2");
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

}  // namespace
}  // namespace attest
