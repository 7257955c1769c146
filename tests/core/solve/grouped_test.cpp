#include "core/solve/grouped.hpp"

#include "core/features/coefficients.hpp"
#include "core/features/predict.hpp"
#include "core/solve/solvers.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

/// Noisy labels of planted heads; sequence i asks with column i mod K of U.
Dataset labelled_groups(const Matrix& U, Index N) {
    const Index d = U.rows();
    const Stream stream = Stream(26).child(d).child(N);
    const Parameters theta = test::normal_parameters(d, 2, 2, stream.child("theta"));
    Dataset data = test::planted_dataset(theta, N, 4, stream.child("data"));
    for (Index i = 0; i < N; ++i) {
        data.tokens.own().col(data.query_token(i)) = U.col(i % U.cols());
    }
    data.truth = {};
    data.y = predict(coefficients(theta), DatasetSource(data)) +
             test::normal_matrix(2, N, stream.child("noise"));
    return data;
}

TEST(GroupedSolver, AgreesWithTheReferenceWithinItsBound) {
    for (const Index d : {1, 2, 3, 4}) {
        Matrix U = Matrix::Identity(d, d);
        U.row(0).setConstant(0.5);
        const Dataset data = labelled_groups(U, 2 * feature_dim(d) + d);
        const DatasetSource source(data);

        const LeastSquaresFit fit = fit_least_squares(source, "grouped", {});
        const LeastSquaresFit exact = fit_least_squares(source, "reference", {});

        ASSERT_EQ(fit.status, SolveStatus::unique) << fit.note;
        EXPECT_EQ(fit.rank, feature_dim(d));
        EXPECT_LE((fit.P - exact.P).norm() / exact.P.norm(), fit.error_bound) << d;
        EXPECT_LT(fit.error_bound, 1e-8) << "still eight digits";
    }
}

TEST(GroupedSolver, SwappedQueriesAreAnotherProblem) {
    const Dataset data = labelled_groups(Matrix::Identity(2, 2), 30);
    Dataset swapped = data;
    for (Index i = 0; i < 30; ++i) {
        swapped.tokens.own().col(swapped.query_token(i)).reverseInPlace();
    }

    const LeastSquaresFit fit = fit_grouped(DatasetSource(data), {});

    EXPECT_GT(empirical_risk(fit.P, DatasetSource(swapped)).risk,
              2.0 * empirical_risk(fit.P, DatasetSource(data)).risk);
}

std::string why_refused(const Dataset& data, const SolveOptions& options = {}) {
    const LeastSquaresFit fit = fit_grouped(DatasetSource(data), options);
    EXPECT_EQ(fit.status, SolveStatus::refused);
    return fit.note;
}

TEST(GroupedSolver, RefusesWhatHasNoSuchGroups) {
    const Matrix I = Matrix::Identity(2, 2);
    Matrix parallel = I;
    parallel.col(1) = 2.0 * I.col(0);

    EXPECT_EQ(why_refused(labelled_groups(I.leftCols(1), 12)),
              "1 distinct query tokens, expected d = 2");
    EXPECT_EQ(why_refused(labelled_groups(parallel, 12)),
              "the query tokens are linearly dependent to rounding");
    EXPECT_EQ(why_refused(labelled_groups(I, 12), {0.5}), "a ridge joins the groups again");
    EXPECT_TRUE(
        why_refused(labelled_groups(I, 5)).starts_with("the group of example 1, 2 examples: "));
    Dataset prefixes = labelled_groups(I, 3);
    prefixes.labels = LabelKind::per_prefix;
    prefixes.y = Matrix::Ones(2, prefixes.tokens.cols());
    EXPECT_EQ(why_refused(prefixes), "needs sequences of the paper's layer with one label each");
}

TEST(GroupedSolver, IsLeftOutOfComparisons) {
    for (const Solver& solver : solvers()) {
        EXPECT_NE(solver.name, "grouped");
    }
}

}  // namespace
}  // namespace attest
