#include "proofs_check/exact/ridge.hpp"

#include "core/base/error.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

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

}  // namespace
}  // namespace attest
