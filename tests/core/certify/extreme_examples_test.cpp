#include "core/moments/power_scale.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/accuracy.hpp"
#include "core/solve/solvers.hpp"
#include "tests/support/exact_minimiser.hpp"
#include "tests/support/extreme_data.hpp"
#include "tests/support/present_solvers.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace attest {
namespace {

using test::Exact;
using test::exact_minimiser;
using test::features_of;
using test::relative_error;

/// N sequences of two tokens with coefficients of about 1 and small noise.
Dataset ordinary(Index d, Index N) {
    const Stream stream = Stream(3).child(d);
    Dataset data;
    data.tokens = grid_matrix(grid_normal(), d, 2 * N, stream.child("tokens"));
    for (Index i = 0; i <= N; ++i) {
        data.offsets.push_back(2 * i);
    }
    data.labels = LabelKind::per_sequence;
    data.y = grid_matrix(grid_normal(), 2, N, stream.child("labels"));
    return data;
}

/// Every solver answers scaled data as it does plain ones: within both bounds of the coefficients
/// times 2^exponent.
void expect_equivariant(const Dataset& plain, const Dataset& scaled, int exponent) {
    for (const Solver& solver : solvers()) {
        const LeastSquaresFit before = fit_least_squares(DatasetSource(plain), solver.name, {});
        const LeastSquaresFit after = fit_least_squares(DatasetSource(scaled), solver.name, {});
        EXPECT_EQ(after.status, before.status) << solver.name << ' ' << after.note;
        if (before.status == SolveStatus::unique && after.status == SolveStatus::unique) {
            Matrix expected = before.P;
            test::multiply(expected, exponent);
            const double error = (after.P - expected).stableNorm() / expected.stableNorm();
            EXPECT_LE(error, before.error_bound + after.error_bound) << solver.name;
            EXPECT_LT(after.error_bound, kLargestError) << solver.name;
        }
    }
}

TEST(ExtremeData, TokensAndLabelsNearTheEndsOfTheRangeAreAnsweredAsOrdinaryOnesAre) {
    const Dataset plain = ordinary(2, 20);
    for (const auto& [tokens, labels] :
         {std::pair{340, 1000}, std::pair{-340, -1000}, std::pair{600, 1000}, std::pair{0, 1010}}) {
        Dataset scaled = plain;
        test::multiply(scaled.tokens.own(), tokens);
        test::multiply(scaled.y, labels);
        expect_equivariant(plain, scaled, labels - 3 * tokens);
    }
}

TEST(ExtremeData, DenormalLabelsKeepTheirDigits) {
    Dataset data = ordinary(2, 20);
    test::multiply(data.tokens.own(), -100);
    for (Index i = 0; i < data.y.cols(); ++i) {
        data.y.col(i).setConstant(static_cast<double>(i % 5) * 0x1p-1074);
    }
    const Exact exact = exact_minimiser(data, 0.0);

    for (const Solver& solver : solvers()) {
        const LeastSquaresFit fit = fit_least_squares(DatasetSource(data), solver.name, {});
        if (fit.status != SolveStatus::refused) {
            EXPECT_FALSE(fit.P.isZero(0.0)) << solver.name;
            EXPECT_GT(fit.error_bound, 0.0) << solver.name;
            EXPECT_LE(relative_error(fit.P, exact.P, {}), fit.error_bound) << solver.name;
        }
    }
}

TEST(ExtremeData, CoordinatesOfDifferentSizeAreSolvedEachByItsOwnPower) {
    Dataset data = ordinary(3, 40);
    data.tokens.own().row(0) *= 2147483647.0;
    const Exact exact = exact_minimiser(data, 0.0);

    for (const std::string& solver :
         test::present_solvers({"auto", "gram64", "tsqr", "svd", "gelsd", "eigen_cod"})) {
        const LeastSquaresFit fit = fit_least_squares(DatasetSource(data), solver, {});

        ASSERT_EQ(fit.status, SolveStatus::unique) << solver << ": " << fit.note;
        ASSERT_TRUE(fit.scaled) << solver;
        EXPECT_EQ(fit.scaled->exponents.size(), 3U);
        const PowerScale scale{fit.scaled->exponents, fit.scaled->exponents, 0};
        EXPECT_LE(relative_error(fit.P, exact.P, scale.features()), fit.scaled->error_bound);
        EXPECT_LE(relative_error(fit.P, exact.P, {}), fit.error_bound);
        EXPECT_LT(fit.scaled->error_bound, 1e-9) << solver << ": the bound says something";
    }
}

TEST(ExtremeData, AMinimumNormThatPresumesTheNumericalRankSaysSo) {
    Dataset data = ordinary(3, 12);
    data.tokens.own().row(0) *= 2147483647.0;

    const LeastSquaresFit fit = fit_least_squares(DatasetSource(data), "svd", {});

    EXPECT_EQ(reference::reference_rank(features_of(data)), 12U);
    EXPECT_LT(fit.rank, 12);
    EXPECT_EQ(to_string(fit.status), "minimum_norm_at_numerical_rank");
    EXPECT_NE(fit.note.find("if the numerical rank is the true one"), std::string::npos);
}

}  // namespace
}  // namespace attest
