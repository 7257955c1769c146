#include "bench/experiments/softmax/distil.hpp"

#include "bench/experiments/entries.hpp"
#include "core/distil/normalised_layer.hpp"
#include "core/features/predict.hpp"
#include "core/solve/solvers.hpp"
#include "tests/support/case_row.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest::test {
namespace {

double number_of(const Row& row, const char* name) {
    return std::get<double>(row.key.parameters.at(name));
}

TEST(DistilExperiment, RisksFallAsTheSeriesSays) {
    const Experiment experiment = distil().make(Profile::quick, 0);
    Index seen = 0;
    for (const Case& one : experiment.cases) {
        const bool small = one.key.learner == "least_squares" &&
                           std::get<std::int64_t>(one.key.parameters.at("d")) == 2 &&
                           std::get<double>(one.key.parameters.at("tau")) < 0.02;
        if (!small) {
            continue;
        }
        const Row row = row_of(one);
        // The series' next term is of order τ ≤ 1/64 beside the first, with constants below 16
        // here.
        EXPECT_NEAR(row.metrics.at("risk").value / row.metrics.at("predicted").value,
                    1.0,
                    16.0 * number_of(row, "tau"))
            << describe(row.key);
        ++seen;
    }
    EXPECT_EQ(seen, 12);
}

TEST(DistilExperiment, NoTrainingIsBelowTheProvedFloor) {
    const Experiment experiment = distil().make(Profile::quick, 0);
    for (const Case& one : experiment.cases) {
        if (one.key.learner != "trained") {
            continue;
        }
        const Row row = row_of(one);
        EXPECT_EQ(row.metrics.at("floor_proved").value, 1.0) << describe(row.key);
        // Risks in double are off by fewer roundings than there are products: N ψ.
        const double below =
            row.metrics.at("floor_relative").value * (1.0 - 200.0 * 100.0 * 0x1p-52);
        EXPECT_GE(row.metrics.at("adam_relative").value, below) << describe(row.key);
        EXPECT_GE(row.metrics.at("relative").value, below) << describe(row.key);
    }
}

TEST(DistilExperiment, PairsOfTokensAreBeyondEverySingleSum) {
    // The bound is of normal tokens in the mean; 8000 of them, and a family far smaller than that.
    DistilSetting setting;
    setting.d = 2;
    setting.n = 16;
    setting.N = 8000;
    setting.family = "degree=0..2";
    DistilProblem problem = distil_problem(setting);
    constexpr double kTau = 0x1p-10;
    problem.softmax.tau = kTau;
    const Dataset data = labelled_by(problem.softmax, problem.train);
    const DatasetSource source(data);
    const Matrix P = fit_least_squares(source, "svd", {}).P;
    const Matrix residual = predict(P, source) - data.y;
    const Vector squares = residual.colwise().squaredNorm();
    const double mean = squares.mean();
    const auto N = static_cast<double>(squares.size());
    const double error =
        std::sqrt((squares.array() - mean).square().sum() / (N - 1.0)) / std::sqrt(N);
    // Least squares of ψ features takes a share ψ/N of what is left; 5 standard errors: 3e-7.
    const double taken = 1.0 - static_cast<double>(P.rows()) / N;
    EXPECT_GT(mean + 5.0 * error, problem.single_sum * kTau * kTau * taken * (1.0 - 16.0 * kTau));
    // It is a bound that matters: more than half of the risk.
    EXPECT_LT(mean, 2.0 * problem.single_sum * kTau * kTau);
}

}  // namespace
}  // namespace attest::test
