#include "core/solve/preconditioned.hpp"

#include "core/solve/solvers.hpp"
#include "tasks/conditioned_data.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace attest {
namespace {

/// ψ = 40 at d = 4: far more examples than the sketch has sums.
constexpr Index kMany = 1600;

Dataset data_of_condition(double condition, double noise) {
    return conditioned_data(
        Degeneracy::unitary, {4, 2, kMany, condition, noise}, Stream(3).child("sketch"));
}

double relative_error(const LeastSquaresFit& fit, const DatasetSource& source) {
    const Matrix exact = fit_least_squares(source, "reference", {}).P;
    return (fit.P - exact).norm() / exact.norm();
}

TEST(Sketched, PreconditionsAllExamples) {
    const Dataset data = data_of_condition(10.0, 0.1);
    const DatasetSource source(data);

    const LeastSquaresFit fit = fit_sketched(source, {});

    ASSERT_EQ(fit.status, SolveStatus::unique);
    EXPECT_LE(relative_error(fit, source), fit.error_bound);
    // The sketch keeps lengths within 1 ± 1/2 or so: a factor of two a step, and the check at the
    // end.
    Index iterations = 0;
    ASSERT_EQ(std::sscanf(fit.note.c_str(), "whitened, %td iterations", &iterations), 1)
        << fit.note;
    EXPECT_LE(iterations, 80);
}

TEST(Sketched, IsWithinItsBoundOrRefuses) {
    Index answered = 0;
    for (const double condition : {1e2, 1e4, 1e6, 1e8, 1e12}) {
        for (const double noise : {0.0, 0.1}) {
            const Dataset data = data_of_condition(condition, noise);
            const DatasetSource source(data);
            const LeastSquaresFit fit = fit_sketched(source, {});
            if (fit.status != SolveStatus::refused) {
                EXPECT_LE(relative_error(fit, source), fit.error_bound) << condition;
                ++answered;
            }
        }
    }
    EXPECT_GE(answered, 4) << "conditions 1e2 and 1e4";
}

TEST(Sketched, RefusesDeficientData) {
    const Dataset data = data_of_condition(10.0, 0.1);
    const Dataset few = subset(data, 0, 39);
    EXPECT_EQ(fit_sketched(DatasetSource(few), {}).status, SolveStatus::refused);

    Dataset flat = data;
    flat.tokens.own().row(3) = flat.tokens.own().row(2);
    EXPECT_EQ(fit_sketched(DatasetSource(flat), {}).status, SolveStatus::refused);
}

}  // namespace
}  // namespace attest
