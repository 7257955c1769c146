#include "core/heads/fit_heads.hpp"

#include "core/features/coefficients.hpp"
#include "core/heads/lower_bound.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace attest {
namespace {

/// A target in the norm of a random second moment with condition number 100.
FitTarget weighted_generic(Index d, Index o, const Stream& stream) {
    Vector sigma(feature_dim(d));
    for (Index i = 0; i < sigma.size(); ++i) {
        sigma(i) =
            std::pow(10.0, -2.0 * static_cast<double>(i) / static_cast<double>(sigma.size()));
    }
    const Matrix R =
        test::matrix_with_singular_values(feature_dim(d), sigma, stream.child("weight"));
    return weighted_target(test::generic_coefficients(d, o, stream), d, R);
}

TEST(FitHeads, WeightedFitBeatsRefitBeatsTruncation) {
    for (const Index d : {2, 3, 4}) {
        for (Index H = 1; H < counting_bound(d, d); ++H) {
            const FitTarget target = weighted_generic(d, d, Stream(1).child(d).child(H));
            HeadFitOptions options;
            options.starts = 2;

            const Parameters cut = truncated_heads(target, H);
            const double svd = relative_residual(target, cut);
            const double refit = relative_residual(target, refit_values(target, cut));
            const double fitted =
                relative_residual(target, heads_of(fit_heads(target, H, options), d));

            const double slack = 1.0 + test::representation_bound(d, d);
            EXPECT_LE(refit, slack * svd) << d << ' ' << H;
            EXPECT_LE(fitted, slack * refit) << d << ' ' << H;
        }
    }
}

TEST(FitHeads, RefittingTheValuesIsNotVacuous) {
    const FitTarget target = weighted_generic(3, 3, Stream(2));
    const Parameters cut = truncated_heads(target, 2);

    EXPECT_LT(relative_residual(target, refit_values(target, cut)),
              0.99 * relative_residual(target, cut));
}

TEST(FitHeads, StopsAtTheFirstExactStart) {
    const Parameters theta = test::normal_parameters(4, 4, 2, Stream(3));

    const HeadFit fit = fit_heads(frobenius_target(coefficients(theta), 4), 2, {});

    EXPECT_EQ(fit.end, FitEnd::target);
    EXPECT_EQ(fit.iterations, 0);  // the closed form is exact here
}

TEST(FitHeads, KeepsTheBestOfItsStarts) {
    const FitTarget target = frobenius_target(test::generic_coefficients(4, 4, Stream(14)), 4);
    HeadFitOptions options;
    options.starts = 5;
    double best = 1.0;
    for (Index s = 0; s < options.starts; ++s) {
        const Matrix Q =
            start_queries(target, 5, start_kind(target, 5, s), options.stream.child(5).child(s));
        best = std::min(best, variable_projection(target, Q, options.control).residual);
    }

    EXPECT_EQ(fit_heads(target, 5, options).residual, best);
}

TEST(FitHeads, InterruptedAtOnceStillBeatRefit) {
    for (Index H = 1; H < counting_bound(4, 4); ++H) {
        const FitTarget target = weighted_generic(4, 4, Stream(15).child(H));
        HeadFitOptions options;
        options.control.interrupt = [] { return true; };

        const double refit =
            relative_residual(target, refit_values(target, truncated_heads(target, H)));
        const double fitted =
            relative_residual(target, heads_of(fit_heads(target, H, options), target.d));

        EXPECT_LE(fitted, (1.0 + test::representation_bound(4, 4)) * refit) << H;
    }
}

TEST(FitHeads, TruncationKeepsTheStrongestHeads) {
    const FitTarget target = frobenius_target(test::generic_coefficients(3, 2, Stream(4)), 3);

    EXPECT_EQ(truncated_heads(target, 2).num_heads(), 2);
    EXPECT_EQ(truncated_heads(target, 100).num_heads(), 6);
    EXPECT_LE(relative_residual(target, truncated_heads(target, 100)),
              test::representation_bound(3, 2));
}

TEST(FitHeads, RefusesNoStartAndTooManyHeads) {
    const FitTarget target = frobenius_target(Matrix::Ones(feature_dim(2), 1), 2);
    HeadFitOptions none;
    none.starts = 0;

    EXPECT_REFUSED("fit_heads: got no start", fit_heads(target, 1, none));
    EXPECT_REFUSED("start_queries: got 3 heads", fit_heads(target, 3, {}));
    EXPECT_REFUSED("refit_values: the heads do not have the target's shape",
                   refit_values(target, Parameters{2, 2, {}}));
}

TEST(HeadStarts, ComeInTheStatedOrder) {
    const FitTarget square = frobenius_target(Matrix::Ones(feature_dim(3), 3), 3);

    EXPECT_EQ(start_kind(square, 2, 0), StartKind::closed_form);
    EXPECT_EQ(start_kind(square, 2, 1), StartKind::reflections);
    EXPECT_EQ(start_kind(square, 2, 2), StartKind::svd);
    EXPECT_EQ(start_kind(square, 2, 3), StartKind::reflections);
    EXPECT_EQ(start_kind(square, 2, 4), StartKind::reflections);
    EXPECT_EQ(start_kind(square, 2, 5), StartKind::random) << "not all pulled to one minimum";
    EXPECT_EQ(start_kind(square, 3, 0),
              StartKind::reflections);  // no equations are left at H = o = d
    EXPECT_EQ(start_kind(square, 3, 1), StartKind::svd);
    EXPECT_EQ(to_string(StartKind::closed_form), "closed_form");
}

TEST(HeadStarts, ArePureFunctionsOfTheStream) {
    const FitTarget target = frobenius_target(test::generic_coefficients(3, 3, Stream(5)), 3);

    for (const StartKind kind :
         {StartKind::closed_form, StartKind::svd, StartKind::alternating, StartKind::random}) {
        const Matrix Q = start_queries(target, 2, kind, Stream(6));
        EXPECT_EQ(Q, start_queries(target, 2, kind, Stream(6)));
        EXPECT_EQ(Q.rows(), 2);
        EXPECT_EQ(Q.cols(), 9);
    }
    EXPECT_NE(start_queries(target, 2, StartKind::random, Stream(6)),
              start_queries(target, 2, StartKind::random, Stream(7)));
}

}  // namespace
}  // namespace attest
