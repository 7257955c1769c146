#include "core/features/coefficients.hpp"
#include "core/solve/accuracy.hpp"
#include "core/solve/solvers.hpp"
#include "tasks/conditioned_data.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/sources.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

namespace attest::test {
namespace {

Dataset noisy_data(Index d, Index N, Index n, std::uint64_t seed = 1) {
    const Stream stream = Stream(seed).child(d).child(N);
    Dataset data = planted_dataset(
        normal_parameters(d, 2, 2, stream.child("theta")), N, n, stream.child("data"));
    data.y += 0.1 * normal_matrix(2, N, stream.child("noise"));
    return data;
}

double relative_error(const Matrix& P, const Matrix& exact) {
    return (P - exact).norm() / exact.norm();
}

/// Every solver on one problem: within its own bound of the reference, or refused. Names that
/// answered.
std::set<std::string> expect_bounds_hold(const MomentSource& source,
                                         const SolveOptions& options,
                                         const std::string& what) {
    const LeastSquaresFit exact = fit_least_squares(source, "reference", options);
    EXPECT_NE(exact.status, SolveStatus::refused) << what;
    std::set<std::string> answered;
    for (const Solver& solver : solvers()) {
        const LeastSquaresFit fit = fit_least_squares(source, solver.name, options);
        if (fit.status == SolveStatus::refused) {
            EXPECT_FALSE(fit.note.empty()) << solver.name;
            EXPECT_EQ(fit.P.size(), 0) << solver.name;
            continue;
        }
        answered.insert(std::string(solver.name));
        EXPECT_EQ(fit.solver, solver.name);
        EXPECT_EQ(fit.status, exact.status) << solver.name << ", " << what;
        EXPECT_TRUE(fit.rank == exact.rank || options.ridge > 0.0) << solver.name << ", " << what;
        EXPECT_LE(relative_error(fit.P, exact.P), fit.error_bound) << solver.name << ", " << what;
    }
    return answered;
}

/// A bound that still promises ten digits: ψ·u = 8e-15 at d = 5 times a condition below 1e4.
constexpr double kUsefulBound = 1e-10;
/// Half the digits of double on data of condition 1e10, where u·cond leaves six.
constexpr double kWhitenedBar = 1e-8;

TEST(Portfolio, AllSolversAgreeOnWellConditionedData) {
    for (const Index d : {1, 2, 3}) {
        const Dataset data = noisy_data(d, 3 * feature_dim(d) + 5, 4);

        const auto answered = expect_bounds_hold(DatasetSource(data), {}, formatted("d = {}", d));

        EXPECT_EQ(answered.size(), solvers().size() - 1) << "only dual refuses";
        EXPECT_EQ(answered.count("dual"), 0U);
    }
}

TEST(Portfolio, TheErrorOfTheGramSolversIsThatOfDoubleRounding) {
    const Dataset data = noisy_data(5, 300, 16);
    const DatasetSource source(data);
    const Matrix exact = fit_least_squares(source, "reference", {}).P;
    for (const char* name : {"gram64", "gram32", "kron"}) {
        const LeastSquaresFit fit = fit_least_squares(source, name, {});
        EXPECT_LT(relative_error(fit.P, exact), fit.error_bound) << name;
        EXPECT_LT(fit.error_bound, kUsefulBound) << name << ": the bound says something";
        EXPECT_SAYS(fit.note, "whitened");
    }
}

TEST(Portfolio, FewerExamplesThanFeaturesGiveTheMinimumNorm) {
    const Dataset data = noisy_data(3, 12, 4);
    for (const Norm norm : {Norm::sym, Norm::packed}) {
        const auto answered =
            expect_bounds_hold(DatasetSource(data), {0.0, norm}, std::string(to_string(norm)));
        EXPECT_EQ(answered.count("dual"), 1U);
        EXPECT_EQ(answered.count("gram64"), 0U);
        EXPECT_EQ(answered.count("literal"), norm == Norm::sym ? 1U : 0U);
    }
}

TEST(Portfolio, RidgeAgreesWhateverTheShape) {
    for (const Index N : {12, 18, 60}) {
        const Dataset data = noisy_data(3, N, 4);
        for (const Norm norm : {Norm::sym, Norm::packed}) {
            const auto answered =
                expect_bounds_hold(DatasetSource(data), {0.3, norm}, formatted("N = {}", N));
            EXPECT_EQ(answered.size(), solvers().size() - 1) << "only literal has no ridge";
        }
    }
}

TEST(Portfolio, WithinItsBoundOrRefusedAtEveryCondition) {
    for (const Degeneracy degeneracy : {Degeneracy::dependent, Degeneracy::unitary}) {
        for (const double condition : {1e1, 1e4, 1e7, 1e10, 1e13}) {
            for (const double noise : {0.0, 0.1}) {
                const Dataset data = conditioned_data(
                    degeneracy, {4, 2, 80, condition, noise}, Stream(7).child("condition"));
                const std::string what =
                    formatted("{}, {}, noise {}", to_string(degeneracy), condition, noise);
                const DatasetSource source(data);
                const Matrix exact = fit_least_squares(source, "reference", {}).P;
                for (const Solver& solver : solvers()) {
                    if (solver.name == "literal") {
                        continue;  // 128 unknowns an output: slow, and its rank is another matter
                    }
                    const LeastSquaresFit fit = fit_least_squares(source, solver.name, {});
                    if (fit.status == SolveStatus::unique) {
                        EXPECT_LE(relative_error(fit.P, exact), fit.error_bound)
                            << solver.name << ", " << what;
                    }
                }
            }
        }
    }
}

TEST(Portfolio, WhiteningKeepsDependentDataAccurateWhereTheOthersRefuse) {
    const Dataset data = conditioned_data(Degeneracy::dependent, {4, 2, 120, 1e10, 0.1}, Stream(7));
    const DatasetSource source(data);

    const LeastSquaresFit whitened = fit_least_squares(source, "gram64", {});
    const LeastSquaresFit given =
        fit_least_squares(source, "gram64", {0.0, Norm::sym, 1, Coordinates::given});

    const Matrix exact = fit_least_squares(source, "reference", {}).P;
    EXPECT_LT(relative_error(whitened.P, exact), whitened.error_bound);
    EXPECT_LT(relative_error(whitened.P, exact), kWhitenedBar);
    EXPECT_EQ(given.status, SolveStatus::refused);
}

TEST(Portfolio, OrderAndBlocksOfExamplesChangeNothingBeyondRounding) {
    const Dataset data = noisy_data(3, 70, 4);
    const MomentBatch all = collect(DatasetSource(data));
    MomentBatch reversed{
        all.S.rowwise().reverse(), all.u.rowwise().reverse(), all.y.rowwise().reverse()};
    for (const Solver& solver : solvers()) {
        const LeastSquaresFit one = fit_least_squares(BatchSource(all, 256), solver.name, {});
        if (one.status == SolveStatus::refused) {
            continue;
        }
        const LeastSquaresFit blocks = fit_least_squares(BatchSource(all, 9), solver.name, {});
        const LeastSquaresFit order = fit_least_squares(BatchSource(reversed, 31), solver.name, {});
        const double allowed = 2.0 * one.error_bound * one.P.norm();
        EXPECT_LE((one.P - blocks.P).norm(), allowed) << solver.name;
        EXPECT_LE((one.P - order.P).norm(), allowed) << solver.name;
    }
}

TEST(Portfolio, ScalingTokensAndLabelsByPowersOfTwoScalesTheSolution) {
    const Dataset data = noisy_data(3, 70, 4);
    for (const double scale : {0x1p-40, 0x1p30}) {
        Dataset scaled = data;
        scaled.tokens.own() *= scale;
        scaled.y *= 8.0;
        for (const Solver& solver : solvers()) {
            const LeastSquaresFit one = fit_least_squares(DatasetSource(data), solver.name, {});
            const LeastSquaresFit two = fit_least_squares(DatasetSource(scaled), solver.name, {});
            ASSERT_EQ(one.status, two.status) << solver.name << two.note;
            if (one.status == SolveStatus::refused) {
                continue;
            }
            const Matrix back = two.P * (scale * scale * scale / 8.0);
            EXPECT_LE((one.P - back).norm(), 2.0 * one.error_bound * one.P.norm()) << solver.name;
        }
    }
}

TEST(Portfolio, TheSameThreadCountGivesTheSameBits) {
    const Dataset data = noisy_data(3, 60, 4);
    const DatasetSource source(data);
    for (const Solver& solver : solvers()) {
        const SolveOptions options{0.0, Norm::sym, 2};
        EXPECT_EQ(fit_least_squares(source, solver.name, options).P,
                  fit_least_squares(source, solver.name, options).P)
            << solver.name;
    }
}

TEST(Portfolio, TheBoundNoticesAWrongAnswer) {
    const Dataset data = noisy_data(3, 70, 4);
    const DatasetSource source(data);
    const Matrix exact = fit_least_squares(source, "reference", {}).P;
    LeastSquaresFit fit = fit_least_squares(source, "gram32", {});
    fit.P(3, 0) *= 1.0 + 1e-6;  // as if single precision had not been refined
    EXPECT_GT(relative_error(fit.P, exact), fit.error_bound);
}

TEST(ErrorBounds, FollowTheirFormulas) {
    const double u = 0x1p-53;
    // To first order in u: what is left out, (3600 u)² at most, is far below u.
    EXPECT_NEAR(backward_stable_error(4, {10.0, 0.0}), 600.0 * u, u);
    EXPECT_NEAR(backward_stable_error(4, {10.0, 0.5}), 3600.0 * u, u);
    EXPECT_NEAR(backward_stable_error(4, {10.0, 0.0, 40.0}), 1000.0 * u, u);
    EXPECT_NEAR(normal_equations_error(9, {10.0, 0.0}), 9000.0 * u, u);
    EXPECT_NEAR(normal_equations_error(9, {10.0, 0.5}), 13500.0 * u, u);
    // Half of the computed solution may be all of the exact one; from all of it nothing is known.
    // share/(1 − share) has the slope 4 at 1/2, and the share a few roundings.
    EXPECT_NEAR(backward_stable_error(1, {1.0 / (60.0 * u), 0.0}), 1.0, 8.0 * u);
    EXPECT_TRUE(std::isinf(backward_stable_error(1, {1.0 / (29.0 * u), 0.0})));
    EXPECT_EQ(residual_share(0.0, 0.0, 0.0), 0.0);
    EXPECT_EQ(residual_share(6.0, 2.0, 3.0), 1.0);
    EXPECT_TRUE(std::isinf(residual_share(1.0, 2.0, 0.0)));
}

}  // namespace
}  // namespace attest::test
