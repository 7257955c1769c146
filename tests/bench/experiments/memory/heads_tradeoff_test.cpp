#include "bench/experiments/memory/heads_tradeoff.hpp"

#include "bench/experiments/entries.hpp"
#include "core/features/cubic.hpp"

#include <gtest/gtest.h>

#include <string>

namespace attest {
namespace {

double loss_of(const Experiment& experiment,
               const std::string& family,
               const std::string& method,
               std::int64_t heads) {
    for (const Case& one : experiment.cases) {
        if (one.key.task == family && one.key.learner == method && one.key.repetition == 0 &&
            one.key.learner_parameters.at("heads") == ParameterValue{heads}) {
            return one.run().metrics.at("relative_loss").value;
        }
    }
    ADD_FAILURE() << family << ' ' << method << ' ' << heads;
    return 0.0;
}

TEST(HeadsTradeoff, LossesAreOrderedByMethod) {
    const Experiment experiment = heads_tradeoff().make(Profile::quick, 0);
    for (const char* family : {"gaussian", "power_law", "associative"}) {
        const double svd = loss_of(experiment, family, "svd", 2);
        const double refit = loss_of(experiment, family, "refit", 2);
        const double fitted = loss_of(experiment, family, "vp_lambda", 2);

        EXPECT_LT(refit, svd) << family;
        EXPECT_LT(fitted, refit) << family;
        EXPECT_LE(fitted, loss_of(experiment, family, "vp_frobenius", 2)) << family;
    }
}

TEST(HeadsTradeoff, LeastSquaresIsOffByAboutOnePerCent) {
    for (const char* family : {"gaussian", "power_law", "associative"}) {
        const auto problem = tradeoff_problem({family, 4, 0, 0});

        // σ² o ψ/N is the expectation; the fit's error over σ²/N is χ² with o·ψ = 160 degrees of
        // freedom, within 0.554 and 1.625 of its mean at the level 1e-6 a side (Wilson and Hilferty
        // 1931).
        EXPECT_GT(problem.noise, 0.0055) << family;
        EXPECT_LT(problem.noise, 0.0163) << family;
    }
}

TEST(HeadsTradeoff, MethodsOfOneSettingMeetTheSameCoefficients) {
    const TradeoffSetting setting{"gaussian", 2, 3, 0};

    EXPECT_EQ(tradeoff_problem(setting).frobenius.P, tradeoff_problem(setting).frobenius.P);
    EXPECT_NE(tradeoff_problem(setting).frobenius.P,
              tradeoff_problem({"gaussian", 2, 3, 1}).frobenius.P);
}

TEST(HeadsTradeoff, OfAProgramEndsAtItsOwnHeads) {
    for (const char* family : {"automaton", "turing"}) {
        const Index d = family == std::string("turing") ? 18 : 10;
        const auto problem = tradeoff_problem({family, d, 0, 0});

        EXPECT_EQ(problem.truth.rows(), feature_dim(d));
        EXPECT_EQ(problem.planted, family == std::string("turing") ? 14 : 6);
        EXPECT_EQ(problem.noise, 0.0);
        EXPECT_LT(problem.weighted.L.rows(), feature_dim(d)) << "what it prints spans few features";
    }
}

TEST(HeadsTradeoff, RefusesAnOddMemoryAndAnAutomatonOfNoSize) {
    EXPECT_THROW((void)tradeoff_problem({"associative", 3, 0, 0}), InvalidInput);
    EXPECT_THROW((void)tradeoff_problem({"automaton", 8, 0, 0}), InvalidInput);
}

}  // namespace
}  // namespace attest
