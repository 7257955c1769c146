#include "core/softmax/non_degeneracy.hpp"

#include "core/base/error.hpp"
#include "core/softmax/notices.hpp"
#include "core/softmax/recovery.hpp"
#include "tests/core/softmax/planted.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

TEST(NonDegeneracy, OfOrthogonalUnitHeadsIsWhatOneComputesByHand) {
    // Θ_1 = E_11, Θ_2 = E_22, W_1 = I, W_2 = diag(1, −½): ΣW = diag(2, ½).
    SoftmaxHeads heads(2, {Matrix::Zero(2, 2), Matrix::Identity(2, 2)});
    heads[0].Theta(0, 0) = 1.0;
    heads[1].Theta(1, 1) = 1.0;
    heads[1].W(1, 1) = -0.5;

    const NonDegeneracy found = non_degeneracy(heads, 2);

    constexpr double kBound = 30.0 * 0x1p-52;
    EXPECT_LT(found.largest_cosine, kBound);
    EXPECT_LT(std::abs(found.theta_sigma - 1.0), kBound);
    EXPECT_LT(std::abs(found.theta_distance - std::sqrt(2.0)), kBound);
    EXPECT_LT(std::abs(found.proxy_norm - std::sqrt(0.5)), kBound);
    EXPECT_LT(std::abs(found.proxy_weight - 0.5), kBound);
    EXPECT_LT(std::abs(found.effective_rank - 1.0), kBound);
    EXPECT_LT(std::abs(found.sum_sigma - 0.5 * std::sqrt(2.0) / std::sqrt(4.25)), kBound);
    EXPECT_TRUE(found.rows_injective);
    EXPECT_FALSE(non_degeneracy(heads, 3).rows_injective);
}

TEST(NonDegeneracy, SeesParallelHeadsAndCancellingValues) {
    SoftmaxHeads heads(2, {Matrix::Identity(3, 3), Matrix::Identity(3, 3)});
    heads[1].Theta *= 2.0;
    heads[1].W *= -1.0;

    const NonDegeneracy found = non_degeneracy(heads, 2);

    EXPECT_LT(std::abs(found.largest_cosine - 1.0), 30.0 * 0x1p-52);
    EXPECT_LT(found.theta_sigma, 30.0 * 0x1p-52);
    EXPECT_LT(found.value_sigma, 30.0 * 0x1p-52);
    EXPECT_EQ(found.sum_sigma, 0.0);
    heads[0].W.setZero();
    EXPECT_EQ(test::invalid_input_message([&] { return non_degeneracy(heads, 2); }),
              "non_degeneracy: got a head with Theta = 0 or W = 0, expected neither");
}

TEST(HullError, IsRelativeToTheHead) {
    // One head Θ = (3, 0; 0, 4) of norm 5, and the hull {3Θ/2}, 5/2 away.
    const SoftmaxHeads planted{{Matrix{{3.0, 0.0}, {0.0, 4.0}}, Matrix::Identity(2, 2)}};
    ThetaHull hull;
    hull.x0 = 1.5 * flattened_thetas(planted).col(0);
    hull.directions = Matrix(4, 0);
    hull.found = true;

    EXPECT_EQ(hull_error(hull, planted).distance, 0.5);
    EXPECT_EQ(hull_error(hull, planted).angle_degrees, 0.0);
}

TEST(OutcomeAgainst, AnotherNumberOfHeadsIsNotRecoveredButMayPredict) {
    const SoftmaxHeads one(1, {Matrix::Identity(2, 2), Matrix::Identity(2, 2)});
    const SoftmaxHeads two(2, one.front());
    const auto against = [&](SoftmaxOutcome outcome) { return outcome_against(outcome, one, two); };

    EXPECT_EQ(against(SoftmaxOutcome::recovered), SoftmaxOutcome::predicts);
    EXPECT_EQ(against(SoftmaxOutcome::predicts), SoftmaxOutcome::predicts);
    EXPECT_EQ(against(SoftmaxOutcome::recovered_by_polish), SoftmaxOutcome::failed);
    EXPECT_EQ(against(SoftmaxOutcome::failed), SoftmaxOutcome::failed);
    EXPECT_EQ(outcome_against(SoftmaxOutcome::recovered, two, two), SoftmaxOutcome::recovered);
}

TEST(RecoveryError, MatchesHeadsInAnyOrder) {
    const SoftmaxHeads planted =
        test::Planted(test::setting(TokenLaw::gaussian, 3, 2, 3, 1.0), 1, 0).heads();
    SoftmaxHeads learned{planted[2], planted[0], planted[1]};

    EXPECT_EQ(recovery_error(learned, planted).worst(), 0.0);
    learned[1].W *= 1.5;
    EXPECT_LT(std::abs(recovery_error(learned, planted).value - 0.5), 0x1p-48);
    learned[0].Theta = planted[0].Theta;
    EXPECT_GT(recovery_error(learned, planted).theta, 0.1);
    EXPECT_EQ(test::invalid_input_message([&] { return recovery_error({planted[0]}, planted); }),
              "recovery_error: got 1 learned and 3 planted heads, expected as many, from 1 to 8");
}

TEST(SoftmaxNotices, AreOneLineEach) {
    for (Index i = 0; i <= static_cast<Index>(SoftmaxNotice::redundant_head); ++i) {
        const auto notice = static_cast<SoftmaxNotice>(i);
        EXPECT_EQ(explanation(notice).find('\n'), std::string_view::npos);
        EXPECT_GT(explanation(notice).size(), to_string(notice).size());
    }
    EXPECT_EQ(to_string(SoftmaxOutcome::recovered_by_polish), "recovered_by_polish");
}

}  // namespace
}  // namespace attest
