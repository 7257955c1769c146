#include "proofs_check/exact/other_routes.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/features/coefficients.hpp"
#include "core/layers/formal_input.hpp"
#include "proofs_check/exact/counted.hpp"
#include "proofs_check/exact/gaussian_mean.hpp"
#include "proofs_check/exact/population.hpp"
#include "proofs_check/exact/ridge.hpp"
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

/// One feature vector (1, 1) with label 2: the minimisers are (t, 2 − t), the shortest is (1, 1).
const ExactProblem kOne{RationalMatrix{{1, 1}}, RationalMatrix{{2}}};

TEST(RidgeMinimiser, ByHand) {
    // λ = 1: [[2, 1], [1, 2]] P = (2, 2).
    EXPECT_EQ(ridge_minimiser(kOne, Rational(1)),
              (RationalMatrix{{Rational(2, 3)}, {Rational(2, 3)}}));
    EXPECT_EQ(ridge_form(kOne.H, Rational(1)), (RationalMatrix{{2, 1}, {1, 2}}));
}

TEST(RidgeMinimiser, WeighsTheNormOncePerExample) {
    // Two copies of an example leave risk and penalty as they are.
    const ExactProblem twice{RationalMatrix{{1, 1}, {1, 1}}, RationalMatrix{{2}, {2}}};

    EXPECT_EQ(ridge_minimiser(twice, Rational(1, 3)), ridge_minimiser(kOne, Rational(1, 3)));
}

TEST(RidgeMinimiser, HasNoNegligibleLambda) {
    EXPECT_THROW((void)ridge_minimiser(kOne, Rational(0)), BrokenInvariant);
}

TEST(LeastNorm, ByHandAndOnFullRank) {
    const ExactProblem full{RationalMatrix{{1, 1}, {0, 1}}, RationalMatrix{{3}, {1}}};

    EXPECT_EQ(least_norm(kOne), (RationalMatrix{{1}, {1}}));
    EXPECT_EQ(least_norm(full), (RationalMatrix{{2}, {1}}));
}

TEST(RidgeLimit, IsTheLeastNormAndOfAnyNumberOfPoints) {
    for (int i = 0; i < 6; ++i) {
        const ExactProblem problem{random_integers(3, 4, 3, Stream(2).child(i)),
                                   random_integers(3, 2, 9, Stream(3).child(i))};

        EXPECT_EQ(ridge_limit(problem, 4), least_norm(problem));
        EXPECT_EQ(ridge_limit(problem, 6), least_norm(problem));
    }
    EXPECT_TRUE(
        ridge_limit({RationalMatrix::Zero(1, 2), RationalMatrix{{1}}}, 1).isZero(Rational(0)));
}

TEST(RidgeLimit, RefusesTooFewPoints) {
    try {
        (void)ridge_limit(kOne, 1);
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_STREQ(error.what(), "ridge_limit: got 1 points, expected more than the rank 1");
    }
}

const PolynomialArithmetic kFormal;

Polynomial variable_to(Index number, Index power) {
    Polynomial f = kFormal.one();
    for (Index i = 0; i < power; ++i) {
        f = kFormal.multiply(f, PolynomialArithmetic::variable(number));
    }
    return f;
}

TEST(GaussianMean, OfPowersIsTheNormalMoment) {
    const std::vector<Rational> moments = gaussian_moments().m;
    for (Index power = 0; power <= 6; ++power) {
        EXPECT_EQ(gaussian_mean(variable_to(3, power)), moments[static_cast<std::size_t>(power)])
            << "power " << power;
    }
    EXPECT_EQ(gaussian_mean(variable_to(0, 8)), 105);
    EXPECT_EQ(gaussian_mean({}), 0);
}

TEST(GaussianMean, FactorsOverVariablesAndAddsOverTerms) {
    const Polynomial mixed = kFormal.multiply(variable_to(0, 4), variable_to(1, 2));
    const Polynomial odd = kFormal.multiply(variable_to(0, 2), variable_to(1, 1));
    const Polynomial sum =
        kFormal.add(kFormal.multiply(kFormal.number(Rational(1, 2)), mixed), odd);

    EXPECT_EQ(gaussian_mean(mixed), 3);
    EXPECT_EQ(gaussian_mean(odd), 0);
    EXPECT_EQ(gaussian_mean(sum), Rational(3, 2));
}

/// Against the population moments of core, which know the paper's layer only.
TEST(GaussianSecondMoment, IsThePopulationsForThePapersLayer) {
    for (const Index d : {1, 2, 3}) {
        for (const Index n : {1, 2, 3}) {
            const std::vector<Polynomial> features =
                layer_features(kFormal, Layer{}, {.d = d}, formal_input({}, {.d = d}, n, n - 1));

            EXPECT_EQ(gaussian_second_moment(features),
                      population_second_moment(gaussian_moments(), d, n));
            EXPECT_FALSE(gaussian_second_moment(features) ==
                         population_second_moment(laplace_moments(), d, n))
                << "another law";
        }
    }
}

}  // namespace

}  // namespace attest
