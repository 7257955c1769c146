#include "bench/experiments/certificates/length_problem.hpp"
#include "bench/experiments/certificates/sampling_problem.hpp"
#include "bench/experiments/entries.hpp"
#include "core/algebra/residual_ratio.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

/// The first case with these parameters, run.
Metrics run_first(const Experiment& experiment, const ParameterMap& wanted) {
    for (const Case& one : experiment.cases) {
        bool same = true;
        for (const auto& [name, value] : wanted) {
            const auto& parameters =
                one.key.parameters.contains(name) ? one.key.parameters : one.key.learner_parameters;
            same = same && parameters.contains(name) && parameters.at(name) == value;
        }
        if (same) {
            return one.run().metrics;
        }
    }
    ADD_FAILURE() << "no such case";
    return {};
}

TEST(SampleComplexity, FindsTheSlopeOfAnExcessThatFallsLikeOneOverN) {
    std::vector<Row> rows;
    for (const double multiple : {16.0, 32.0, 64.0}) {
        Row row;
        row.key.parameters = {{"labels", std::string("noise")},
                              {"d", std::int64_t{2}},
                              {"n_over_psi", multiple},
                              {"num_examples", static_cast<std::int64_t>(6 * multiple)}};
        row.metrics["excess"] = {1.0 / multiple};
        row.metrics["n_excess_over_d4"] = {6.0 / 16.0};
        row.metrics["limit_over_d4"] = {0.75};
        row.metrics["limit_inflation"] = {1.0};
        rows.push_back(row);
    }

    EXPECT_NE(sample_complexity().text(rows).find(" -1 "), std::string::npos)
        << sample_complexity().text(rows);
    rows.back().metrics["excess"] = {1.0 / 1024.0};
    EXPECT_EQ(sample_complexity().text(rows).find(" -1 "), std::string::npos);
}

TEST(SampleComplexity, LimitsOfTheThreeKindsOfLabels) {
    const auto noise = sampling_problem({"noise", 2, 0, 0, 1});
    const auto cubic = sampling_problem({"token_cubic", 2, 0, 0, 1});

    // σ²·o·ψ, and for a residual that grows with the features more than floor·ψ.
    EXPECT_EQ(noise.limit, 12.0);
    EXPECT_EQ(noise.limit_error, 0.0);
    EXPECT_GT(cubic.limit - 5.0 * cubic.limit_error, 6.0 * cubic.floor);
}

TEST(IidCertificate, KnowsThePopulationAndProvesDeficiencies) {
    const Experiment experiment = iid_certificate().make(Profile::quick, 1);
    const ParameterMap size{{"n", std::int64_t{2}}, {"n_over_psi", std::int64_t{4}}};
    ParameterMap three = size;
    three["law"] = std::string("three_point");
    ParameterMap signs = size;
    signs["law"] = std::string("rademacher");

    const Metrics definite = run_first(experiment, three);
    const Metrics singular = run_first(experiment, signs);

    EXPECT_EQ(definite.at("population").exact, "1/8");  // (n−1)m2³, m2 = 1/2
    EXPECT_EQ(definite.at("rank").exact, "18");
    EXPECT_EQ(singular.at("population").exact, "0");
    EXPECT_EQ(singular.at("rank").exact, "12");
    EXPECT_EQ(singular.count("ratio"), 0U);
}

TEST(Robustness, PredictsNothingWithoutTheCertificate) {
    const Experiment experiment = robustness().make(Profile::quick, 1);
    const auto metrics = [&](double degree) {
        return run_first(experiment, {{"violation", std::string("signs")}, {"degree", degree}});
    };

    EXPECT_EQ(metrics(0.0).count("predicted"), 0U);
    EXPECT_EQ(metrics(0.1).count("predicted"), 1U);
}

TEST(LengthGeneralisation, MeanFeaturesDivideByTheLengthOfEachSequence) {
    Dataset data;
    data.tokens = Matrix{{1.0, 2.0, 3.0}};
    data.offsets = {0, 2, 3};

    EXPECT_EQ(LengthSource(data, LengthFeatures::sum).block(0).S, (Matrix{{5.0, 9.0}}));
    EXPECT_EQ(LengthSource(data, LengthFeatures::mean).block(0).S, (Matrix{{2.5, 9.0}}));
    EXPECT_EQ(LengthSource(data, LengthFeatures::mean).block(0).z, (Matrix{{2.0, 3.0}}));
}

TEST(LengthGeneralisation, SumsOfWhatAveragesAreOffByTheRatioOfTheLengths) {
    // Trained at n₀ = 16 without noise, mean features see n₀/n times what summing ones see: by the
    // triangle inequality the relative error is n₀/n − 1 up to n₀/n times that of the sums.
    const Experiment experiment = length_generalisation().make(Profile::quick, 1);
    const auto metrics = [&](const char* features) {
        return run_first(experiment,
                         {{"labels", std::string("linear")},
                          {"train", std::string("16")},
                          {"features", std::string(features)}});
    };
    const Metrics mean = metrics("mean");
    const Metrics sum = metrics("sum");

    for (const Index n : {1, 4, 64}) {
        const std::string name = "error_n" + std::to_string(n);
        const double ratio = 16.0 / static_cast<double>(n);
        const double of_sums = std::sqrt(sum.at(name).value);
        // The two fits round differently: as much again as either is off the truth.
        const double rounding = 30.0 * ratio * (of_sums + gamma_bound(feature_dim(4)));
        EXPECT_LT(std::abs(std::sqrt(mean.at(name).value) - std::abs(ratio - 1.0)), rounding) << n;
        EXPECT_LT(rounding, 0.01);
    }
}

}  // namespace
}  // namespace attest
