#include "bench/experiments/certificates/length_generalisation.hpp"
#include "bench/experiments/certificates/robustness.hpp"
#include "bench/experiments/certificates/sample_complexity.hpp"
#include "bench/experiments/entries.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/certify/numerical/spectrum.hpp"
#include "core/features/predict.hpp"
#include "core/solve/orthogonal.hpp"
#include "tasks/gaussian_population.hpp"
#include "tests/support/error_message.hpp"

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

    EXPECT_SAYS(sample_complexity().text(rows), " -1 ");
    rows.back().metrics["excess"] = {1.0 / 1024.0};
    EXPECT_EQ(sample_complexity().text(rows).find(" -1 "), std::string::npos);
}

TEST(SampleComplexity, LimitsOfTheThreeKindsOfLabels) {
    const auto noise = sampling_problem({"noise", 2, 0, 0, 1});
    const auto cubic = sampling_problem({"token_cubic", 2, 0, 0, 1});

    EXPECT_EQ(noise.floor, 2.0);  // σ²·o
    // σ²·o·ψ, and for a residual that grows with the features more than floor·ψ.
    EXPECT_EQ(noise.limit, 12.0);
    EXPECT_EQ(noise.limit_error, 0.0);
    EXPECT_GT(cubic.limit - 5.0 * cubic.limit_error, 6.0 * cubic.floor);
}

TEST(SampleComplexity, TakesTheErrorOfAnEstimatedPopulationOffTheExcess) {
    // 1024ψ examples stand for the population: its minimiser is off by an independent error, and
    // so is the distance to it, by as much too large.
    const SamplingSetting setting{"softmax", 2, 0, Index{1024} * 6, 1};
    const auto problem = sampling_problem(setting);
    const TriangularFactor factor = triangular_factor(TaskSource(*problem.task, 0, Index{4} * 6));
    const double distance = squared_distance(
        fit_svd(factor, 2, {}).P, problem.best, gaussian_second_moment(2, kSamplingTokens));

    const Metrics metrics = run_first(
        sample_complexity().make(Profile::quick, 1),
        {{"labels", std::string("softmax")}, {"d", std::int64_t{2}}, {"n_over_psi", 4.0}});

    EXPECT_GT(problem.reference_error, 0.0);
    EXPECT_EQ(metrics.at("reference_excess").value, problem.reference_error);
    EXPECT_DOUBLE_EQ(metrics.at("excess").value, distance - problem.reference_error);
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
    EXPECT_EQ(definite.at("ratio").value, 8.0 * definite.at("lambda_min").value);
    EXPECT_EQ(definite.at("shortfall").value, 1.0 - definite.at("ratio").value);
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

/// Few signs, in part Gaussian, as in the experiment with seed 1.
RobustnessSetting tenth_of_signs() {
    RobustnessSetting setting;
    setting.violation = Violation::signs;
    setting.degree = 0.1;
    setting.seed = 1;
    return setting;
}

/// What a learner of that setting measures.
Metrics run_learner(const std::string& learner) {
    for (const Case& one : robustness().make(Profile::quick, 1).cases) {
        if (one.key.learner == learner && one.key.stream == tenth_of_signs().stream().path()) {
            return one.run().metrics;
        }
    }
    ADD_FAILURE() << "no such case";
    return {};
}

TEST(Robustness, ErrorsAreRelativeToTheTruthsOwnPowerOnTheSameInputs) {
    const auto problem = robustness_problem(tenth_of_signs());
    const Matrix P = fit_svd(problem.factor, 4, {}).P;
    const Matrix zero = Matrix::Zero(P.rows(), P.cols());
    const Matrix& gaussian = gaussian_second_moment(4, 8);

    const Metrics metrics = run_learner("minimum_norm");

    EXPECT_DOUBLE_EQ(metrics.at("in_distribution").value,
                     squared_distance(P, problem.truth, problem.fresh) /
                         squared_distance(problem.truth, zero, problem.fresh));
    EXPECT_DOUBLE_EQ(metrics.at("ood").value,
                     squared_distance(P, problem.truth, gaussian) /
                         squared_distance(problem.truth, zero, gaussian));
}

TEST(Robustness, TheValidatedRidgeHasTheLeastRiskOnTheValidationSet) {
    const auto problem = robustness_problem(tenth_of_signs());
    const DatasetSource validation(problem.validation);
    const auto risk = [&](double ridge) {
        return empirical_risk(fit_svd(problem.factor, 4, {ridge}).P, validation).risk;
    };

    const double chosen = run_learner("ridge_validated").at("ridge").value;

    EXPECT_LE(risk(chosen), risk(0.0));
    for (int exponent = -12; exponent <= 2; ++exponent) {
        EXPECT_LE(risk(chosen), risk(std::pow(10.0, exponent))) << exponent;
    }
    EXPECT_LT(risk(chosen), risk(100.0)) << "the ridge matters";
}

TEST(LengthGeneralisation, PredictionsAreRelativeToThePowerAtTheirLength) {
    LengthSetting setting;
    setting.labels = LengthLabels::linear_noisy;
    setting.features = LengthFeatures::sum;
    setting.train = {16, 16};
    setting.N = 800;
    setting.seed = 1;
    const LengthTraining training = length_training(setting);
    const TriangularFactor factor =
        triangular_factor(LengthSource(training.data, LengthFeatures::sum));
    const Matrix truth = length_truth(setting);

    const Metrics metrics = run_first(length_generalisation().make(Profile::quick, 1),
                                      {{"labels", std::string("linear_noisy")},
                                       {"train", std::string("16")},
                                       {"features", std::string("sum")}});

    for (const Index n : {1, 2, 4, 8, 16, 32, 64}) {
        const Matrix Lambda = gaussian_second_moment(setting.d, n);
        const double power =
            squared_distance(truth, Matrix::Zero(truth.rows(), truth.cols()), Lambda);
        const NoiseExcess excess = noise_excess(factor, Lambda, training.sigma, setting.d);
        EXPECT_DOUBLE_EQ(metrics.at("predicted_n" + std::to_string(n)).value, excess.mean / power);
    }
}

TEST(LengthGeneralisation, MeanFeaturesDivideByTheLengthOfEachSequence) {
    Dataset data;
    data.tokens = Matrix{{1.0, 2.0, 3.0}};
    data.offsets = {0, 2, 3};

    EXPECT_EQ(LengthSource(data, LengthFeatures::sum).block(0).S, (Matrix{{5.0, 9.0}}));
    EXPECT_EQ(LengthSource(data, LengthFeatures::mean).block(0).S, (Matrix{{2.5, 9.0}}));
    EXPECT_EQ(LengthSource(data, LengthFeatures::mean).block(0).u, (Matrix{{2.0, 3.0}}));
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
