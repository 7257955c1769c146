#include "core/algebra/residual_ratio.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/lower_bound.hpp"
#include "core/heads/minimal_heads.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace attest {
namespace {

struct Size {
    Index d;
    Index seeds;
    std::vector<Index> heads;
};

std::string name_of(const testing::TestParamInfo<Size>& info) {
    return "D" + std::to_string(info.param.d);
}

/// What rounding may add to the relative residual of heads that cancel each other: H products,
/// their sum and three operations of balancing, each entry within γ_{H+3} Σ |V_h||Q_h| (Higham
/// 2002, §3.1), times the allowance of residual ratios.
double cancellation_bound(const FitTarget& target, const Parameters& heads) {
    double size = 0.0;
    for (const Head& head : heads.heads) {
        size += head.V.norm() * head.Q.norm();
    }
    return 30.0 * gamma_bound(heads.num_heads() + 3) * size / target.scale;
}

class PlantedRecovery : public testing::TestWithParam<Size> {};

// Searched with the default budget; once the planted number is reached, disproving fewer is not
// waited for.
TEST_P(PlantedRecovery, OfDenseHeadsUpToThreeQuartersOfTheBound) {
    const Index d = GetParam().d;
    for (const Index H : GetParam().heads) {
        ASSERT_LE(4 * H, 3 * counting_bound(d, d));
        for (Index seed = 0; seed < GetParam().seeds; ++seed) {
            const Parameters theta =
                test::normal_parameters(d, d, H, Stream(1000).child(d).child(H).child(seed));
            const Matrix W = head_tensor(theta);
            const FitTarget target = frobenius_target(coefficients(theta), d);
            HeadSearchOptions options;
            Index best = d * d;
            options.progress = [&](const HeadSearchProgress& p) { best = p.best_heads; };
            options.control.interrupt = [&] { return best <= H; };

            const MinimalHeads found = minimal_heads(target, options);

            ASSERT_EQ(found.heads.num_heads(), H) << d << ' ' << seed << ' ' << found.note;
            const double residual = test::representation_bound(d, d);
            EXPECT_LE(relative_residual(target, found.heads), residual);
            EXPECT_LE(residual, test::kFunctionBar);
            const double bound = residual * tangent_condition(W, d, H);
            EXPECT_LE((head_tensor(found.heads) - W).norm(), bound * W.norm()) << d << ' ' << H;
            EXPECT_LE(bound, test::kWeightBar);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes,
                         PlantedRecovery,
                         testing::Values(Size{3, 10, {1, 2, 3}},
                                         Size{4, 10, {1, 2, 3, 4, 5}},
                                         Size{5, 10, {1, 2, 3, 4, 5, 6, 7}},
                                         Size{6, 10, {1, 2, 3, 4, 5, 6, 7, 8, 9}},
                                         Size{7, 3, {6, 12}},
                                         Size{8, 2, {6, 16}}),
                         name_of);

TEST(GenericTarget, IsFittedAtTheCountingBound) {
    for (Index d = 2; d <= 6; ++d) {
        for (Index seed = 0; seed < (d <= 4 ? 10 : 3); ++seed) {
            const FitTarget target = frobenius_target(
                test::generic_coefficients(d, d, Stream(2000).child(d).child(seed)), d);
            HeadFitOptions options;
            options.starts = 30;

            const HeadFit fit = fit_heads(target, counting_bound(d, d), options);

            ASSERT_EQ(fit.end, FitEnd::target) << d << ' ' << seed;
            const Parameters heads = heads_of(fit, d);
            const double bound = fit.residual + cancellation_bound(target, heads);
            EXPECT_LE(relative_residual(target, heads), bound) << d << ' ' << seed;
            EXPECT_LE(bound, 1e-6 * test::kMissed) << "the bound tells a fit from a miss";
        }
    }
}

TEST(GenericTarget, IsNotFittedBelowTheCountingBound) {
    for (const Index d : {2, 3}) {
        for (Index seed = 0; seed < 10; ++seed) {
            const FitTarget target = frobenius_target(
                test::generic_coefficients(d, d, Stream(2000).child(d).child(seed)), d);
            HeadFitOptions options;
            options.starts = 30;

            EXPECT_GT(fit_heads(target, counting_bound(d, d) - 1, options).residual, test::kMissed);
        }
    }
}

}  // namespace
}  // namespace attest
