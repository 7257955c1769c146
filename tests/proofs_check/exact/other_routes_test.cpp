#include "proofs_check/exact/other_routes.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/features/coefficients.hpp"
#include "proofs_check/exact/counted.hpp"
#include "proofs_check/exact/singular_heads.hpp"
#include "proofs_check/exact/turing_block.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(KernelMinimiser, ByHand) {
    // Z = 2: S = 4, K = ⟨4, 4⟩⟨2, 2⟩ = 64, H = 8; y = 8, so α = 1/8 and P = 8/8.
    const RationalMatrix P = kernel_minimiser({RationalMatrix{{2}}}, RationalMatrix{{8}});

    EXPECT_EQ(P, RationalMatrix::Ones(1, 1));
    EXPECT_THROW((void)kernel_minimiser({RationalMatrix{{1}}, RationalMatrix{{1}}},
                                        RationalMatrix{{1}, {2}}),
                 BrokenInvariant);
}

TEST(ScrambledHeads, ChangeTheHeadsAndNotTheCoefficients) {
    const RationalParameters theta = random_heads(3, 3, 3, 2, Stream(5));

    const RationalParameters other = scrambled_heads(theta, Stream(6));

    EXPECT_EQ(other.num_heads(), 5);
    EXPECT_NE(other.heads[0].V, theta.heads[0].V);
    EXPECT_NE(head_tensor(other), head_tensor(theta));
    EXPECT_EQ(coefficients(other), coefficients(theta));
    EXPECT_THROW((void)scrambled_heads({2, 2, {}}, Stream(1)), InvalidInput);
}

TEST(RankHeads, FactorTheTensorWithAsManyHeadsAsItsRank) {
    const RationalParameters theta = random_heads(2, 2, 2, 3, Stream(7));
    const RationalMatrix W = head_tensor(theta);

    EXPECT_EQ(head_tensor(rank_heads(W, 2)), W);
    EXPECT_EQ(rank_heads(W, 2).num_heads(), rational_rank(W));
    EXPECT_EQ(rank_heads(RationalMatrix::Zero(4, 4), 2).num_heads(), 0);
}

TEST(Descend, OneStepByHand) {
    // Λ = 2, C = 3, P = 1: the gradient's half is −1, the step 1/2.
    const Matrix P = descend<double>(Matrix{{2.0}}, Matrix{{3.0}}, Matrix{{1.0}}, 1);

    EXPECT_TRUE(bitwise_equal(P(0, 0), 1.5));
}

TEST(SingularHeads, AreBalancedAndReproduceTheTensor) {
    const Matrix W = random_integers(4, 4, 3, Stream(8)).cast<double>();

    const Parameters heads = singular_heads<double>(W, 2);

    const double bound = 20.0 * 4.0 * std::numeric_limits<double>::epsilon() * W.norm();
    EXPECT_LE((head_tensor(heads) - W).norm(), bound);
    for (const Head& head : heads.heads) {
        EXPECT_LE(std::abs(head.V.norm() - head.Q.norm()), bound);
    }
}

TEST(Counted, CountsMultiplicationsAlone) {
    const Counted a(3.0);
    Counted result;

    const std::int64_t count = multiplications([&] { result = a * a * a + a / a - a; });

    EXPECT_EQ(count, 2);
    EXPECT_TRUE(bitwise_equal(result.value(), 25.0));
}

/// δ(0, 0) = (1, 1, R): the head moves right and writes 1.
StateRow right_writer() {
    return {TableTransition{1, 1, TableMove::right}, TableTransition{0, 0, TableMove::left}};
}

TEST(MachineStep, ByHand) {
    const std::vector<TapeToken> tape{{1, std::nullopt}, {0, 0}, {0, std::nullopt}};

    const auto next = machine_step(right_writer(), tape);

    ASSERT_TRUE(next.has_value());
    EXPECT_EQ(*next, (std::vector<TapeToken>{{1, std::nullopt}, {1, std::nullopt}, {0, 1}}));
    EXPECT_FALSE(machine_step(right_writer(), {{0, std::nullopt}, {0, 0}}).has_value());
}

TEST(TableStep, KeepsFarLettersOnlyWithTheFourthBranch) {
    const TapeToken far{1, std::nullopt};

    EXPECT_EQ(table_step({true, true, true}, right_writer(), far, far, far), far);
    EXPECT_EQ(table_step({true, true, false}, right_writer(), far, far, far), TapeToken{});
}

TEST(AllStateRows, AreSixtyFourDifferentOnes) {
    const std::vector<StateRow> rows = all_state_rows();

    EXPECT_EQ(rows.size(), 64U);
    EXPECT_EQ(rows.front()[0].move, TableMove::left);
    EXPECT_EQ(rows.back()[1].letter, 1);
}

}  // namespace
}  // namespace attest
