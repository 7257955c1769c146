#include "core/heads/minimal_heads.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/lower_bound.hpp"
#include "core/moments/triangular_factor.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace attest {
namespace {

HeadSearchOptions unhurried() {
    HeadSearchOptions options;
    options.seconds = std::numeric_limits<double>::infinity();
    return options;
}

void expect_exact(const MinimalHeads& found, const FitTarget& target) {
    const double bound = test::representation_bound(target.d, target.o);
    EXPECT_LE(relative_residual(target, found.heads), bound);
    EXPECT_LE(bound, test::kFunctionBar);
}

struct Planted {
    Index d;
    Index o;
    Index H;
};

TEST(MinimalHeads, FindsPlantedHeadsAndTheirTensor) {
    const std::vector<Planted> planted{{1, 1, 1},
                                       {2, 2, 1},
                                       {3, 3, 2},
                                       {3, 3, 3},
                                       {4, 4, 2},
                                       {4, 4, 5},
                                       {4, 2, 2},
                                       {3, 5, 3},
                                       {5, 5, 4}};
    for (const auto& [d, o, H] : planted) {
        const Parameters theta = test::normal_parameters(d, o, H, Stream(1).child(d).child(H));
        const Matrix W = head_tensor(theta);
        const FitTarget target = frobenius_target(coefficients(theta), d);

        const MinimalHeads found = minimal_heads(target, unhurried());

        ASSERT_EQ(found.heads.num_heads(), H) << d << ' ' << o;
        expect_exact(found, target);
        const double bound = test::representation_bound(d, o) * tangent_condition(W, d, H);
        EXPECT_LE((head_tensor(found.heads) - W).norm(), bound * W.norm());
        EXPECT_LE(bound, test::kWeightBar);
        EXPECT_GT(found.tangent_rcond, kUniqueTangent);
        EXPECT_EQ(found.end, H <= d ? HeadSearchEnd::proved : HeadSearchEnd::exhausted);
    }
}

TEST(MinimalHeads, OfAGenericTargetMeetTheCountingBound) {
    for (const auto& [d, o] : {std::pair<Index, Index>{2, 2}, {3, 3}, {3, 1}, {3, 2}, {2, 4}}) {
        const FitTarget target =
            frobenius_target(test::generic_coefficients(d, o, Stream(2).child(d).child(o)), d);

        const MinimalHeads found = minimal_heads(target, unhurried());

        EXPECT_EQ(found.heads.num_heads(), counting_bound(d, o)) << d << ' ' << o;
        expect_exact(found, target);
    }
}

TEST(MinimalHeads, WhereAlgorithmOneReturnsDSquared) {
    const Parameters theta = test::normal_parameters(3, 3, 1, Stream(3));
    const FitTarget target = frobenius_target(coefficients(theta), 3);

    EXPECT_EQ(truncated_heads(target, 9).num_heads(), 9);
    EXPECT_EQ(minimal_heads(target, unhurried()).heads.num_heads(), 1);
}

TEST(MinimalHeads, OfTwoHeadsAtDTwoAreAmongSixOrTwo) {
    // det M = det A det B: a binary quartic split into two quadratics in six ways, of which six or
    // two are real.
    for (Index instance = 0; instance < 4; ++instance) {
        const Parameters theta = test::normal_parameters(2, 2, 2, Stream(4).child(instance));
        const FitTarget target = frobenius_target(coefficients(theta), 2);
        std::vector<Matrix> solutions;
        for (Index s = 0; s < 200; ++s) {
            const Matrix Q =
                start_queries(target, 2, StartKind::random, Stream(5).child(instance).child(s));
            const HeadFit fit = variable_projection(target, Q, FitControl{});
            if (fit.end != FitEnd::target) {
                continue;
            }
            const Matrix W = fit.factors.V * fit.factors.Q;
            bool known = false;
            for (const Matrix& other : solutions) {
                known = known || (W - other).norm() < 1e-4 * other.norm();
            }
            if (!known) {
                solutions.push_back(W);
            }
        }

        EXPECT_TRUE(solutions.size() == 2 || solutions.size() == 6) << solutions.size();
    }
}

TEST(MinimalHeads, NeedsOnlyDHeadsOnSequencesOfOneToken) {
    for (const Index d : {2, 3}) {
        const Parameters theta = test::normal_parameters(d, d, d * d, Stream(6).child(d));
        const Dataset data =
            test::planted_dataset(theta, 4 * feature_dim(d), 1, Stream(7).child(d));
        const FitTarget target =
            weighted_target(coefficients(theta), d, triangular_factor(DatasetSource(data)).R);

        const MinimalHeads found = minimal_heads(target, unhurried());

        EXPECT_EQ(target.L.rows(), d * (d + 1) * (d + 2) / 6);
        EXPECT_EQ(found.heads.num_heads(), d);
        EXPECT_EQ(found.bound.num_heads, 1);  // data that do not determine P certify no more
        EXPECT_LE(relative_residual(target, found.heads), test::representation_bound(d, d));
    }
}

TEST(MinimalHeads, NeedsFewerHeadsWhereTheQueryHasNoLabel) {
    // z_d = 0 in the query: r_min 2, 3 for d = 2, 3 instead of 2, 4.
    for (const Index d : {2, 3}) {
        const Parameters theta = test::normal_parameters(d, d, d * d, Stream(8).child(d));
        Dataset data = test::planted_dataset(theta, 4 * feature_dim(d), d + 1, Stream(9).child(d));
        for (Index i = 0; i < data.num_sequences(); ++i) {
            data.tokens.own()(d - 1, data.query_token(i)) = 0.0;
        }
        const FitTarget target =
            weighted_target(coefficients(theta), d, triangular_factor(DatasetSource(data)).R);

        const MinimalHeads found = minimal_heads(target, unhurried());

        EXPECT_EQ(target.L.rows(), (d - 1) * packed_dim(d));
        EXPECT_EQ(found.heads.num_heads(), d);
    }
}

TEST(MinimalHeads, OfTheZeroFunctionAreNone) {
    const MinimalHeads found =
        minimal_heads(frobenius_target(Matrix::Zero(feature_dim(3), 2), 3), unhurried());

    EXPECT_EQ(found.heads.num_heads(), 0);
    EXPECT_EQ(found.end, HeadSearchEnd::proved);
    EXPECT_EQ(found.residual, 0.0);
}

TEST(MinimalHeads, WithoutTimeAreStillExact) {
    const FitTarget target = frobenius_target(test::generic_coefficients(3, 3, Stream(10)), 3);
    HeadSearchOptions options;
    options.seconds = 0.0;

    const MinimalHeads found = minimal_heads(target, options);

    EXPECT_EQ(found.end, HeadSearchEnd::budget);
    EXPECT_EQ(found.heads.num_heads(), linear_head_count(3, 3));
    expect_exact(found, target);
}

TEST(MinimalHeads, KeepTheBestOfAnInterruptedSearch) {
    const FitTarget target = frobenius_target(test::generic_coefficients(4, 4, Stream(11)), 4);
    HeadSearchOptions options = unhurried();
    Index starts = 0;
    options.progress = [&](const HeadSearchProgress&) { ++starts; };
    options.control.interrupt = [&] { return starts >= 2; };

    const MinimalHeads found = minimal_heads(target, options);

    EXPECT_EQ(found.end, HeadSearchEnd::interrupted);
    EXPECT_EQ(found.heads.num_heads(), linear_head_count(4, 4));
    expect_exact(found, target);
}

TEST(MinimalHeads, AreDeterministic) {
    const FitTarget target = frobenius_target(test::generic_coefficients(3, 3, Stream(12)), 3);

    const MinimalHeads first = minimal_heads(target, unhurried());
    const MinimalHeads second = minimal_heads(target, unhurried());

    EXPECT_EQ(head_tensor(first.heads), head_tensor(second.heads));
    EXPECT_EQ(first.note, second.note);
}

TEST(MinimalHeads, SayWhatTheyProve) {
    const Parameters theta = test::normal_parameters(3, 3, 2, Stream(13));

    const MinimalHeads found = minimal_heads(frobenius_target(coefficients(theta), 3), unhurried());

    EXPECT_EQ(found.note,
              "2 heads found, at least 2 certified: no fewer exist; W is locally unique, the heads "
              "up to GL(2)");
    ASSERT_EQ(found.attempts.size(), 1U);
    EXPECT_EQ(found.attempts.front().num_heads, 2);
    EXPECT_EQ(to_string(found.end), "proved");
}

TEST(TargetLowerBound, ForgetsHeadsThatTheDataHardlyShow) {
    // The data weigh every direction by 1 but the last, 1e-9: there the tolerance 1e-12 reaches
    // 1e-3 far.
    const Index d = 3;
    Parameters theta = test::normal_parameters(d, d, 2, Stream(15));
    theta.heads[1].V *= 1e-4;
    const Matrix P = coefficients(theta);
    Vector weights = Vector::Ones(feature_dim(d));
    const FitTarget sharp = weighted_target(P, d, weights.asDiagonal());
    weights(feature_dim(d) - 1) = 1e-9;
    const FitTarget blurred = weighted_target(P, d, weights.asDiagonal());

    EXPECT_EQ(target_lower_bound(sharp, 1e-12, 3, Stream(16)).num_heads, 2);
    EXPECT_EQ(target_lower_bound(blurred, 1e-12, 3, Stream(16)).num_heads, 1);
}

TEST(HeadSearchCost, CountsEveryStartOfEveryNumberOfHeads) {
    const FitTarget target = frobenius_target(test::generic_coefficients(3, 3, Stream(14)), 3);
    HeadSearchOptions options;
    options.max_starts = 1;
    options.control.max_iterations = 1;

    const IterationCost cost = head_search_cost(target, 3, options);

    EXPECT_EQ(
        cost.flops,
        variable_projection_cost(target, 3).flops + variable_projection_cost(target, 4).flops);
}

TEST(MinimalHeads, RefusesAUselessTolerance) {
    HeadSearchOptions options;
    options.tolerance = 0.0;

    EXPECT_REFUSED("minimal_heads: got tolerance 0",
                   minimal_heads(frobenius_target(Matrix::Ones(1, 1), 1), options));
}

}  // namespace
}  // namespace attest
