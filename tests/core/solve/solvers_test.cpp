#include "core/solve/solvers.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/predict.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/solve/accuracy.hpp"
#include "core/solve/cost_model.hpp"
#include "core/solve/orthogonal.hpp"
#include "core/solve/preconditioned.hpp"
#include "tasks/conditioned_data.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/process_settings.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace attest {

namespace {

struct Planted {
    Dataset data;
    Matrix truth;
};

Planted planted(Index d, Index o, Index heads, Index N, Index n, std::uint64_t seed = 21) {
    const Stream stream = Stream(seed).child(d).child(N).child(n);
    const Parameters theta = test::normal_parameters(d, o, heads, stream.child("theta"));
    return {test::planted_dataset(theta, N, n, stream.child("data")), coefficients(theta)};
}

/// Relative error of a backward stable solver: a constant times √psi·u·cond(H), squared for normal
/// equations (Higham 2002, §20.1 and §20.4; the square root of the dimension is the probabilistic
/// form of Higham & Mary 2019). 30 is the same allowance as for residual ratios.
double error_bound(const DatasetSource& source, double power) {
    const Vector sigma = singular_values(triangular_factor(source).R);
    const Vector positive = sigma.head((sigma.array() > 1e-12 * sigma(0)).count());
    const double condition = sigma(0) / positive(positive.size() - 1);
    return kRatioBound * std::sqrt(static_cast<double>(sigma.size())) * gamma_bound(1) *
           std::pow(condition, power);
}

TEST(FitLeastSquares, RecoversAPlantedModelFromGaussianDataToWithinTheErrorBound) {
    const Planted problem = planted(4, 4, 3, 400, 16);
    const DatasetSource source(problem.data);
    for (const char* name : {"auto", "tsqr", "svd", "normal"}) {
        const LeastSquaresFit fit = fit_least_squares(source, name, {});

        const double bound = error_bound(source, std::string(name) == "normal" ? 2.0 : 1.0);
        ASSERT_EQ(fit.status, SolveStatus::unique) << name;
        EXPECT_EQ(fit.rank, 40) << name;
        EXPECT_LT((fit.P - problem.truth).norm(), bound * problem.truth.norm()) << name;
        EXPECT_LT(bound, std::string(name) == "normal" ? 1e-9 : 1e-12) << "the bound meets the bar";
    }
}

TEST(FitLeastSquares, ResidualRatiosAreSmallForBackwardStableSolvers) {
    for (const Index d : {1, 2, 3, 5}) {
        Planted problem = planted(d, 2, 2, 3 * feature_dim(d) + 7, 3);
        problem.data.y += test::normal_matrix(2, problem.data.num_examples(), Stream(5).child(d));
        const DatasetSource source(problem.data);
        const MomentBatch all = collect(source);
        const Matrix H = feature_columns(all).transpose();
        for (const char* name : {"tsqr", "svd", "normal"}) {
            const LeastSquaresFit fit = fit_least_squares(source, name, {});
            EXPECT_LT(least_squares_ratio(H, fit.P, all.y.transpose()), kRatioBound) << name << d;
        }
    }
}

TEST(FitLeastSquares, AWrongSolutionHasALargeResidualRatio) {
    const Planted problem = planted(2, 1, 1, 30, 3);
    const DatasetSource source(problem.data);
    const MomentBatch all = collect(source);
    Matrix P = fit_least_squares(source, "tsqr", {}).P;
    P(0, 0) *= 1.0 + 1e-9;

    EXPECT_GT(least_squares_ratio(feature_columns(all).transpose(), P, all.y.transpose()),
              kRatioBound);
}

TEST(FitLeastSquares, FewerExamplesThanFeaturesGiveTheMinimumNormSolutionAndSaySo) {
    const Planted problem = planted(3, 3, 2, 10, 4);
    const DatasetSource source(problem.data);
    const Matrix H = feature_columns(collect(source)).transpose();
    const Vector inverse = norm_weights(3, Norm::sym).cwiseInverse();
    const Matrix scaled = H * inverse.asDiagonal();

    const LeastSquaresFit fit = fit_least_squares(source, "auto", {});

    EXPECT_EQ(fit.status, SolveStatus::minimum_norm);
    EXPECT_EQ(fit.rank, 10);
    EXPECT_SAYS(fit.note, "N = 10 < psi = 18");
    // Interpolates, and lies in the row space of the scaled features: the two conditions that
    // define it.
    const Matrix coordinates = norm_weights(3, Norm::sym).asDiagonal() * fit.P;
    const Svd s = svd(scaled);
    EXPECT_LT(difference_ratio(scaled * coordinates, collect(source).y.transpose()), kRatioBound);
    EXPECT_LT(difference_ratio(coordinates, s.V * (s.V.transpose() * coordinates)),
              kRatioBound * s.sigma(0) / s.sigma(9));
    EXPECT_EQ(fit_least_squares(source, "tsqr", {}).status, SolveStatus::refused);
}

TEST(FitLeastSquares, TheTwoNormsPickDifferentMinimisersOfDeficientData) {
    const Planted problem = planted(2, 1, 1, 3, 2);
    const DatasetSource source(problem.data);

    const Matrix sym = fit_least_squares(source, "svd", {0.0, Norm::sym, 1}).P;
    const Matrix packed = fit_least_squares(source, "svd", {0.0, Norm::packed, 1}).P;

    EXPECT_LT(coefficient_norm(sym, 2, Norm::sym), coefficient_norm(packed, 2, Norm::sym));
    EXPECT_LT(coefficient_norm(packed, 2, Norm::packed), coefficient_norm(sym, 2, Norm::packed));
}

TEST(FitLeastSquares, RidgeAgreesBetweenAllSolversAndWithTheNormalEquations) {
    const Planted problem = planted(3, 2, 2, 12, 3);
    const DatasetSource source(problem.data);
    const SolveOptions options{0.25, Norm::sym, 1};
    const Moments moments = explicit_moments(source);
    const Vector w = norm_weights(3, Norm::sym);
    Matrix A = moments.Lambda;
    A.diagonal() += 0.25 * w.cwiseProduct(w);

    for (const char* name : {"tsqr", "svd", "normal", "auto"}) {
        const LeastSquaresFit fit = fit_least_squares(source, name, options);
        EXPECT_EQ(fit.status, SolveStatus::unique) << name;
        EXPECT_LT(difference_ratio(moments.cross, A * fit.P), kRatioBound * 4.0) << name;
    }
}

TEST(FitLeastSquares, LiteralAlgorithm1AndThePsiFormulationAreTheSameFunction) {
    for (const Index d : {1, 2, 3, 4}) {
        for (const Index N : {Index{6}, feature_dim(d) + 5}) {
            const Planted problem = planted(d, d, 2, N, 4);
            const DatasetSource source(problem.data);
            const Dataset fresh = planted(d, d, 1, 20, 5, 22).data;
            const DatasetSource inputs(fresh);

            const Matrix literal = fit_least_squares(source, "literal", {}).P;
            const Matrix svd_fit = fit_least_squares(source, "svd", {}).P;

            const Matrix expected = predict(svd_fit, inputs);
            // Two fits, each off by its relative error times ‖P‖, seen through the features of the
            // fresh inputs.
            const double gain = singular_values(feature_columns(collect(inputs)))(0);
            const double bound = 2.0 * error_bound(source, 1.0) * gain * svd_fit.norm();
            EXPECT_LT((predict(literal, inputs) - expected).norm(), bound)
                << "d = " << d << ", N = " << N;
            EXPECT_LT(bound, 1e-10 * expected.norm()) << "the bound meets the bar";
        }
    }
}

TEST(FitLeastSquares, RaggedLengthsGiveTheSameAsSeparateHandling) {
    const Planted shorter = planted(3, 2, 2, 30, 2);
    const Parameters theta = *shorter.data.truth.heads;
    const Dataset longer = test::planted_dataset(theta, 25, 7, Stream(31));
    const Dataset both = concatenate(shorter.data, longer);
    const Moments first = explicit_moments(DatasetSource(shorter.data));
    const Moments second = explicit_moments(DatasetSource(longer));

    const Moments joint = explicit_moments(DatasetSource(both));

    EXPECT_LT(difference_ratio(joint.Lambda * 55.0, first.Lambda * 30.0 + second.Lambda * 25.0),
              kRatioBound);
}

TEST(FitLeastSquares, NamesTheSolversWhenOneIsUnknown) {
    const Planted problem = planted(2, 1, 1, 30, 3);
    try {
        (void)fit_least_squares(DatasetSource(problem.data), "magic", {});
        FAIL() << "no exception";
    } catch (const UnknownName& error) {
        EXPECT_EQ(
            std::string(error.what()),
            "solver: got 'magic', expected one of auto, gram64, gram32, dual, kron, grouped, "
            "sketch, tsqr, "
            "svd, "
            "normal, gels, gelsy, gelsd, eigen_householder, eigen_cod, eigen_bdcsvd, literal, "
            "reference");
    }
}

TEST(FitLeastSquares, RefusesDataWithoutLabelsAndNegativeRidge) {
    Planted problem = planted(2, 1, 1, 30, 3);
    EXPECT_THROW((void)fit_least_squares(DatasetSource(problem.data), "tsqr", {-1.0}),
                 InvalidInput);
    problem.data.labels = LabelKind::none;
    problem.data.y = Matrix();
    EXPECT_THROW((void)fit_least_squares(DatasetSource(problem.data), "tsqr", {}), InvalidInput);
}

TEST(FitNormal, RefusesSingularDataInsteadOfAnswering) {
    const Planted problem = planted(3, 1, 1, 60, 1);  // n = 1: rank 10 of 18
    const LeastSquaresFit fit = fit_least_squares(DatasetSource(problem.data), "normal", {});

    EXPECT_EQ(fit.status, SolveStatus::refused);
    EXPECT_EQ(fit.P.size(), 0);
}

using Names = std::vector<std::string_view>;

Dataset planted(Index d, Index N) {
    const Stream stream = Stream(5).child(d).child(N);
    return test::planted_dataset(
        test::normal_parameters(d, 2, 2, stream.child("theta")), N, 4, stream.child("data"));
}

TEST(AutomaticChain, FollowsTheShape) {
    const Rates rates = built_in_rates();
    EXPECT_EQ(automatic_chain({3, 2, 10, 1}, {}, rates), (Names{"dual", "svd"}));
    EXPECT_EQ(automatic_chain({20, 20, 8400, 33}, {}, rates),
              (Names{"gram32", "gram64", "tsqr", "svd"}));
}

TEST(AutomaticChain, FollowsTheRates) {
    Rates rates = built_in_rates();
    rates.per_second.gram32 = rates.per_second.gram64 / 100.0;
    EXPECT_EQ(automatic_chain({20, 20, 8400, 33}, {}, rates), (Names{"gram64", "tsqr", "svd"}));
}

TEST(AutomaticChain, TakesTheKroneckerSolverWhereNothingOfSizePsiSquaredFits) {
    const SourceShape shape{24, 24, 14400, 57};
    const test::MemoryLimit limit(static_cast<long>(gram32_cost(shape).bytes * 0.75));
    EXPECT_EQ(automatic_chain(shape, {}, built_in_rates()).front(), "kron");
    EXPECT_LT(kronecker_cost(shape).bytes, memory_limit());
}

TEST(FitAutomatic, SaysWhatItPredictedAndWhatItTook) {
    const Dataset data = planted(3, 60);
    const LeastSquaresFit fit = fit_least_squares(DatasetSource(data), "auto", {});

    ASSERT_EQ(fit.attempts.size(), 1U);
    EXPECT_EQ(fit.attempts[0].solver, fit.solver);
    EXPECT_EQ(fit.attempts[0].outcome, "answered");
    EXPECT_GT(fit.attempts[0].predicted_seconds, 0.0);
    EXPECT_GT(fit.attempts[0].predicted_bytes, 0.0);
    EXPECT_GT(fit.attempts[0].seconds, 0.0);
    EXPECT_EQ(fit.note.substr(0, 6 + fit.solver.size()), "auto: " + fit.solver);
}

TEST(FitAutomatic, FallsBackOverEverySolverThatRefuses) {
    // One token an example: rank 10 of 18, so no solver but the last one may answer.
    const Stream stream = Stream(6);
    const Dataset data = test::planted_dataset(
        test::normal_parameters(3, 1, 1, stream.child("theta")), 60, 1, stream.child("data"));
    Rates rates = built_in_rates();
    rates.per_second.gram32 *= 1e6;
    rates.per_second.product *= 1e6;

    const LeastSquaresFit fit = fit_automatic(DatasetSource(data), {}, rates);

    ASSERT_EQ(fit.attempts.size(), 4U);
    const Names expected{"gram32", "gram64", "tsqr", "svd"};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(fit.attempts[i].solver, expected[i]);
        EXPECT_EQ(fit.attempts[i].outcome == "answered", i == 3) << fit.attempts[i].outcome;
        EXPECT_SAYS(fit.note,
                    fit.attempts[i].outcome == "answered" ? "svd" : fit.attempts[i].outcome);
    }
    EXPECT_EQ(fit.status, SolveStatus::minimum_norm_at_numerical_rank);
    EXPECT_EQ(fit.rank, 10);
}

TEST(FitAutomatic, PassesOverWhatDoesNotFit) {
    const Dataset data = planted(5, 400);
    const DatasetSource source(data);
    const SourceShape shape = source.shape();
    const double least = kronecker_cost(shape).bytes;
    ASSERT_LT(least, gram32_cost(shape).bytes);
    ASSERT_LT(least, tsqr_cost(shape).bytes);
    const test::MemoryLimit limit(static_cast<long>(least) + 8192);

    const LeastSquaresFit fit = fit_least_squares(source, "auto", {});

    EXPECT_EQ(fit.solver, "kron");
}

TEST(FitLeastSquares, TheMemoryEstimateComesFirstAndNamesASolverThatFits) {
    const Dataset data = planted(5, 400);
    const DatasetSource source(data);
    const test::MemoryLimit limit(static_cast<long>(gram64_cost(source.shape()).bytes) + 8192);
    ASSERT_GT(bdcsvd_cost(source.shape()).bytes, memory_limit());
    try {
        (void)fit_least_squares(source, "eigen_bdcsvd", {});
        FAIL() << "no exception";
    } catch (const EnvironmentFailure& error) {
        const std::string message = error.what();
        EXPECT_EQ(message.find("solver eigen_bdcsvd at psi = 75, N = 400 needs about "), 0U)
            << message;
        EXPECT_SAYS(message, "; --solver gram64 needs about ");
    }
}

TEST(FitLeastSquares, SaysWhenNoSolverWouldFit) {
    const Dataset data = planted(3, 60);
    const test::MemoryLimit limit(1000);
    try {
        (void)fit_least_squares(DatasetSource(data), "auto", {});
        FAIL() << "no exception";
    } catch (const EnvironmentFailure& error) {
        EXPECT_SAYS(std::string(error.what()), "take fewer examples") << error.what();
    }
    EXPECT_THROW((void)fit_least_squares(DatasetSource(data), "tsqr", {}), EnvironmentFailure);
}

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

TEST(ErrorBound, IsAReasonToRefuseInWordsWhereThereIsNone) {
    LeastSquaresFit fit;
    fit.solver = "gram64";
    fit.rcond = 0.25;
    EXPECT_EQ(with_error_bound(fit, 2.0).note, "no digit is assured: 1/cond = 0.25, error bound 2");
    EXPECT_EQ(with_error_bound(fit, std::numeric_limits<double>::infinity()).note,
              "no digit is assured: 1/cond = 0.25, no bound on the error");
}

}  // namespace

}  // namespace attest
