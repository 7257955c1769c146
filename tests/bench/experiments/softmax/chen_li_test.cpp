#include "bench/experiments/softmax/chen_li_lower_bound.hpp"
#include "bench/experiments/softmax/chen_li_problem.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/base/error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

constexpr double kOutputRounding = 0x1p-45;
/// What a member may be off its parity at β = 40: eight digits.
constexpr double kParityBar = 1e-8;

TEST(ChenLiLowerBound, MembersComputeOrthogonalParities) {
    for (const auto& [d, n, size] : {std::array<Index, 3>{5, 1, 4},
                                     std::array<Index, 3>{5, 2, 6},
                                     std::array<Index, 3>{6, 3, 10}}) {
        const ParityFamily family = parity_family(d, n, 40.0);

        EXPECT_EQ(family.size, size);
        // 4 exp(−β/2), and the rounding of 2n outputs of size 2.
        EXPECT_LT(family.largest_error, 4.0 * std::exp(-20.0) + kOutputRounding);
        EXPECT_LT(family.largest_error, kParityBar);
        // Each part is ±1 up to that error.
        EXPECT_LT(std::abs(family.variance - 1.0), 3.0 * family.largest_error);
        // Zero but for a sum of 4^(d−1) products, the rounding of both parts, and their errors.
        const double error = family.largest_error;
        EXPECT_LT(family.largest_correlation,
                  gamma_bound(Index{1} << (2 * (d - 1))) + 2.0 * kOutputRounding + error * error);
    }
}

TEST(ChenLiLowerBound, AtASmallBetaTheParityIsLeftAfterTheMeanIsTaken) {
    const ParityFamily family = parity_family(6, 3, 8.0);

    // Ten parts that are equal in law and, were they exactly ±1, uncorrelated: −1/(10 − 1) for
    // every pair after their mean is taken. They are off by at most the error, so products are by
    // its square.
    EXPECT_LT(std::abs(family.centred_correlation + 1.0 / 9.0),
              family.largest_error * family.largest_error);
    EXPECT_LT(family.largest_error, 0.1);
    EXPECT_LT(family.variance, 1.0);
    EXPECT_THROW((void)parity_family(4, 4, 1.0), InvalidInput);
}

TEST(ChenLiProblem, LearnersOfOneSettingMeetTheSameData) {
    const ChenLiSetting setting;
    const SoftmaxAttention one = chen_li_task(setting, "x", 1);
    const SoftmaxAttention two = chen_li_task(setting, "x", 1);
    ChenLiSetting other = setting;
    other.repetition = 1;

    EXPECT_EQ(one.draw(3).y, two.draw(3).y);
    EXPECT_NE(one.draw(3).Z, chen_li_task(other, "x", 1).draw(3).Z);
    EXPECT_NE(identity(chen_li_key(setting, "x", 1, "a")),
              identity(chen_li_key(other, "x", 1, "a")));
}

TEST(ChenLiProblem, HeldOutExamplesComeAfterTheTrainingOnes) {
    ChenLiSetting setting;
    setting.num_examples = 5;
    const SoftmaxAttention task = chen_li_task(setting, "x", 1);
    const auto example = [&](Index i) { return softmax_source(task, i, 1).draw(0, 1).X; };

    const Matrix first = chen_li_held_out(task, setting).X.leftCols(setting.k);

    EXPECT_EQ(first, example(5));
    EXPECT_NE(first, example(0));
}

TEST(ChenLiTable, LeavesACellEmptyWhereNoRowHasTheMetric) {
    Row row;
    row.key.parameters["m"] = std::int64_t{2};
    row.metrics["gap"] = {3.0};

    const Table table = chen_li_table({row}, {"m"}, {{"gap", "gap"}, {"hull", "hull_error"}});

    ASSERT_EQ(table.rows.size(), 1U);
    EXPECT_EQ(std::get<std::int64_t>(table.rows[0][0].value), 2);
    EXPECT_EQ(std::get<double>(table.rows[0][1].value), 3.0);
    EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows[0][2].value));
}

}  // namespace
}  // namespace attest
