#include "core/features/predict.hpp"
#include "core/solve/solvers.hpp"
#include "tests/support/layer_examples.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

/// Gaussian data with four examples for each feature, of several lengths.
Dataset planted(const std::string& layer, std::uint64_t seed) {
    const Index psi = test::layer_data({.layer = layer, .count = 1}).layout().psi();
    return test::layer_data(
        {.layer = layer, .n = {2, 7}, .count = 4 * psi, .levels = 0, .seed = seed});
}

/// How well such data determine a layer in double; the risk, a square, has the bar's square.
constexpr double kBar = 1e-11;

TEST(LayerFit, RecoversThePlantedLayer) {
    for (const std::string& text : test::layer_texts()) {
        const Dataset data = planted(text, 1);
        const LeastSquaresFit fit = fit_least_squares(DatasetSource(data), "auto", {});
        ASSERT_NE(fit.status, SolveStatus::refused) << text;
        // A layer with an identity of its own has many P for one function: the function counts.
        if (fit.status == SolveStatus::unique) {
            // The labels are rounded too, as the solution is: twice its bound, and the bar.
            const double off = (fit.P - *data.truth.P).norm() / data.truth.P->norm();
            EXPECT_LE(off, 2.0 * fit.error_bound) << text;
            EXPECT_LT(off, kBar) << text;
        }
        EXPECT_LT(empirical_risk(fit.P, DatasetSource(data)).relative, kBar * kBar) << text;
    }
}

/// Every solver that answers is within its own bound of the minimiser to 50 digits.
TEST(LayerFit, OfEverySolverIsWithinItsBound) {
    for (const std::string& text : test::layer_texts()) {
        const Dataset data = planted(text, 2);
        const DatasetSource source(data);
        Index answered = 0;
        const LeastSquaresFit exact = fit_least_squares(source, "reference", {});
        for (const Solver& solver : solvers()) {
            const LeastSquaresFit fit = solver.fit(source, {});
            if (fit.status != SolveStatus::unique || exact.P.size() == 0) {
                continue;
            }
            ++answered;
            const double error = (fit.P - exact.P).norm() / exact.P.norm();
            EXPECT_LE(error, fit.error_bound + exact.error_bound) << text << ", " << solver.name;
        }
        const FeatureLayout layout = data.layout();
        if (fit_least_squares(source, "svd", {}).rank == layout.psi()) {
            EXPECT_GE(answered, 6) << text;
        }
    }
}

TEST(LayerFit, WithARidgeAndFewExamplesAgreesBetweenPrimalAndDual) {
    for (const std::string& text : test::layer_texts()) {
        const Dataset all = planted(text, 3);
        const Dataset few = subset(all, 0, std::max<Index>(all.layout().psi() / 2, 1));
        const DatasetSource source(few);
        for (const Norm norm : {Norm::sym, Norm::packed}) {
            const SolveOptions options{1e-3, norm};
            const LeastSquaresFit primal = fit_least_squares(source, "svd", options);
            const LeastSquaresFit dual = fit_least_squares(source, "dual", options);
            const double off = (primal.P - dual.P).norm() / primal.P.norm();
            EXPECT_LE(off, 2.0 * (primal.error_bound + dual.error_bound)) << text;
            EXPECT_LT(off, 1e-9) << text << ": the bar";
        }
    }
}

}  // namespace
}  // namespace attest
