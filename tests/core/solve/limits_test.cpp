#include "core/algebra/lapack.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/features/cubic.hpp"
#include "core/solve/accuracy.hpp"
#include "core/solve/explicit_features.hpp"
#include "core/solve/iterative.hpp"
#include "core/solve/orthogonal.hpp"
#include "core/solve/solvers.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/present_solvers.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

namespace attest {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

Dataset normal_data(Index d, Index N, Index n, Index seed) {
    const Stream stream = Stream(51).child(d).child(N).child(seed);
    Dataset data = test::planted_dataset(
        test::normal_parameters(d, 2, 2, stream.child("theta")), N, n, stream.child("data"));
    data.y += 0.1 * test::normal_matrix(2, N, stream.child("noise"));
    return data;
}

TriangularFactor diagonal_factor(double least, Index num_examples) {
    TriangularFactor factor;
    factor.R = Matrix::Identity(6, 6);
    factor.R(5, 5) = least;
    factor.C = Matrix::Ones(6, 1);
    factor.num_examples = num_examples;
    return factor;
}

TEST(FitSvd, CountsSingularValuesAboveTheLargerOfBothSizesInUnitsOfRounding) {
    const SolveOptions packed{0.0, Norm::packed};
    EXPECT_EQ(fit_svd(diagonal_factor(5.0 * kEpsilon, 6), 2, packed).rank, 5) << "psi = 6";
    EXPECT_EQ(fit_svd(diagonal_factor(7.0 * kEpsilon, 6), 2, packed).rank, 6);
    EXPECT_EQ(fit_svd(diagonal_factor(99.0 * kEpsilon, 100), 2, packed).rank, 5) << "N = 100";
    EXPECT_EQ(fit_svd(diagonal_factor(101.0 * kEpsilon, 100), 2, packed).rank, 6);
}

TEST(FitSvd, BoundsARidgeProblemByTheConditionWithTheRidge) {
    // Nothing is cut, so that a ridge of rounding size leaves a condition of 1/√ridge.
    const double ridge = 1e-12;
    const LeastSquaresFit fit = fit_svd(diagonal_factor(0.0, 6), 2, {ridge, Norm::packed});
    // √ridge/√(1 + ridge), where the singular value that is 0 is found to rounding.
    EXPECT_NEAR(fit.rcond / std::sqrt(ridge), 1.0, ridge);
}

TEST(Explicit, RefusesADriverWhoseFactorsAreNotThoseOfTheFeatures) {
    const Dataset data = normal_data(3, 60, 4, 1);
    const DenseDriver right = [](Matrix A, const Matrix& B, double threshold) {
        DenseLeastSquares solution = eigen_cod(std::move(A), B, threshold);
        solution.backward_error = threshold;
        return solution;
    };
    const DenseDriver wrong = [](Matrix A, const Matrix& B, double threshold) {
        DenseLeastSquares solution = eigen_cod(std::move(A), B, threshold);
        solution.backward_error = 1e-7;  // as far off as Eigen's BDCSVD has been seen
        return solution;
    };
    EXPECT_EQ(fit_explicit("right", right, DatasetSource(data), {}).status, SolveStatus::unique);
    EXPECT_EQ(fit_explicit("wrong", wrong, DatasetSource(data), {}).status, SolveStatus::refused);
}

TEST(Explicit, RefusesARidgeThatRoundingLoses) {
    const Dataset data = normal_data(3, 60, 1, 1);  // one token each: rank 10 of 18
    for (const std::string& name :
         test::present_solvers({"gelsy", "gelsd", "eigen_cod", "eigen_bdcsvd"})) {
        EXPECT_EQ(fit_least_squares(DatasetSource(data), name, {1e-40}).status,
                  SolveStatus::refused)
            << name;
    }
}

void expect_refusals(const Dataset& data, Index seed) {
    for (const char* name : {"gram64", "gram32", "kron"}) {
        const LeastSquaresFit fit = fit_least_squares(DatasetSource(data), name, {});

        ASSERT_EQ(fit.status, SolveStatus::refused) << name << ' ' << seed;
        const char* reason = name[0] == 'g' ? "singular to this precision" : "not resolved";
        EXPECT_SAYS(fit.note, reason) << name << ": " << fit.note;
    }
}

// What rounding makes of a pivot that should be 0 is a matter of luck, hence the seeds.
TEST(Iterative, RefusesDeficientFeaturesWhateverTheLabels) {
    for (Index seed = 0; seed < 20; ++seed) {
        expect_refusals(normal_data(3, 60, 1, seed), seed);  // symmetric tensors: rank 10 of 18
        Dataset repeated = normal_data(3, 34, 4, seed);
        repeated.tokens.own().rightCols(68) = repeated.tokens.view().leftCols(68);
        expect_refusals(repeated, seed);  // 17 different sequences: rank 17 of 18
    }
}

TEST(Dual, RefusesAKernelThatIsSingularToRounding) {
    for (Index seed = 0; seed < 20; ++seed) {
        Dataset data = normal_data(3, 12, 4, seed);
        data.tokens.own().rightCols(4) =
            data.tokens.view().leftCols(4);  // the last sequence is the first

        const LeastSquaresFit fit = fit_least_squares(DatasetSource(data), "dual", {});

        ASSERT_EQ(fit.status, SolveStatus::refused) << seed;
        EXPECT_SAYS(fit.note, "kernel is singular");
    }
}

TEST(Dual, AddsWhatRefinementLeavesToItsBound) {
    const Dataset data = normal_data(3, 12, 4, 0);

    const LeastSquaresFit fit = fit_least_squares(DatasetSource(data), "dual", {});

    ASSERT_EQ(fit.status, SolveStatus::minimum_norm);
    EXPECT_GT(fit.error_bound, backward_stable_error(18, {1.0 / fit.rcond, 0.0}));
}

/// Σ H Hᵀ of normal data, read as a preconditioner that knows less than it does.
struct Diagonal {
    SolveCoordinates coordinates;
    Preconditioner preconditioner;
};

Diagonal scaled_identity(const MomentSource& source, double size, double rcond) {
    Diagonal result{solve_coordinates(source, {0.0, Norm::sym, 1, Coordinates::given}), {}};
    result.preconditioner = {[size](const Matrix& G) { return Matrix(G / size); }, size, rcond, {}};
    return result;
}

TEST(Iterative, AddsWhatTheGradientLeavesToItsBound) {
    const Dataset data = normal_data(2, 60, 4, 0);
    const DatasetSource source(data);
    // A condition of 1e14 that the preconditioner claims: rounding allows for much, so that a few
    // steps short of convergence are accepted.
    const Diagonal given = scaled_identity(source, 1e3, 1e-14);
    Preconditioner known = given.preconditioner;
    known.departure = 0.49;
    const ConjugateGradientOptions few{6, 6};

    const LeastSquaresFit fit = fit_iteratively("steps", given.coordinates, {}, known, few);

    ASSERT_EQ(fit.status, SolveStatus::unique) << fit.note;
    const FeatureOperator features(*given.coordinates.source);
    const ConjugateGradientResult result = conjugate_gradient(
        {features, features.labels(), 0.0, norm_weights(2, Norm::sym), {}}, known.apply, few);
    const double left =
        result.gradient / ((1.0 - known.departure) * std::sqrt(1e3 * 1e-14) * result.P.norm());
    Conditioning conditioning;
    conditioning.condition = 1.0 / fit.rcond;
    conditioning.residual =
        residual_share(result.residual.norm(), features.longest_feature(), result.P.norm());
    // The same numbers, put together by two dozen operations at most.
    EXPECT_GE(fit.error_bound,
              (backward_stable_error(6, conditioning) + left) * (1.0 - gamma_bound(24)));
    EXPECT_GT(left, 0.0);
}

TEST(MeasuredSpread, SeesADirectionThatOnlyTheRidgeHolds) {
    const Dataset data = normal_data(2, 5, 4, 0);  // N = 5 < psi = 6
    const DatasetSource source(data);
    const FeatureOperator features(source);
    const Vector sigma = singular_values(feature_columns(collect(source)));
    const double ridge = 1e-10 * sigma(0) * sigma(0);
    const LeastSquaresProblem problem{
        features, features.labels(), ridge, norm_weights(2, Norm::packed), {}};

    const HiddenSpread spread =
        measured_spread(problem, [](const Matrix& G) { return G; }, {2000, 40});

    EXPECT_TRUE(spread.missed > kLargestMissed || spread.smallest < 1.01 * ridge)
        << spread.smallest / ridge;
}

TEST(MeasuredSpread, SeesTheEigenvaluesThatTheLabelsHide) {
    // Labels in the row space of all directions but one: conjugate gradients on them never meet it.
    const Dataset data = normal_data(2, 60, 4, 0);
    const DatasetSource source(data);
    const FeatureOperator features(source);
    const Matrix H = feature_columns(collect(source)).transpose();
    const Svd s = svd(H);
    const Matrix hidden = (s.U.leftCols(5) * Vector::Ones(5)).transpose();
    const auto identity = [](const Matrix& G) { return G; };
    const LeastSquaresProblem problem{features, hidden, 0.0, norm_weights(2, Norm::sym), {}};

    const ConjugateGradientResult labels = conjugate_gradient(problem, identity, {100, 20});
    const HiddenSpread spread = measured_spread(problem, identity, {100, 20});

    EXPECT_GT(labels.smallest, 1.01 * s.sigma(5) * s.sigma(5));
    // In floating point the iteration is an exact one on a matrix whose eigenvalues lie about √u of
    // the largest around those of HHᵀ, with copies that steps after convergence find (Greenbaum
    // 1989): how near the extreme Ritz values come depends on the order of the sums.
    const double least = s.sigma(5) * s.sigma(5);
    const double largest = s.sigma(0) * s.sigma(0);
    const double rounding = 6.0 * std::sqrt(kEpsilon) * largest;
    EXPECT_NEAR(spread.smallest, least, rounding);
    EXPECT_NEAR(spread.largest, largest, rounding);
    EXPECT_LT(spread.missed, kLargestMissed);
}

}  // namespace
}  // namespace attest
