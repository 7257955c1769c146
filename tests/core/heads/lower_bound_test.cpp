#include "core/heads/lower_bound.hpp"

#include "core/algebra/lapack.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/isometric.hpp"
#include "core/heads/rational_elimination.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using ExactMatrix = MatrixOf<Rational>;

constexpr double kTolerance = 1e-12;

TEST(ExactHeadLowerBound, NeverExceedsThePlantedHeadsAndReachesThemUpToD) {
    for (const Index d : {1, 2, 3, 5}) {
        for (const Index o : {Index{1}, d, d + 1}) {
            for (Index H = 0; H <= d + 1; ++H) {
                const Parameters theta =
                    test::integer_parameters(d, o, H, Stream(31).child(d).child(o).child(H));
                const ExactMatrix P = coefficients(test::to_rational(theta));

                const HeadLowerBound bound = exact_head_lower_bound(P, d, 4, Stream(1));

                EXPECT_LE(bound.num_heads, H);
                EXPECT_LE(bound.num_heads, d);
                if (o >= d) {
                    EXPECT_EQ(bound.num_heads, std::min(H, d)) << d << ' ' << o << ' ' << H;
                }
            }
        }
    }
}

TEST(HeadLowerBound, ReachesThePlantedHeadsInDouble) {
    for (const Index d : {2, 3, 4, 5, 6, 8}) {
        for (Index H = 1; H <= d; ++H) {
            const Parameters theta = test::normal_parameters(d, d, H, Stream(32).child(d).child(H));

            const HeadLowerBound bound =
                head_lower_bound(coefficients(theta), d, kTolerance, 3, Stream(2));

            EXPECT_EQ(bound.num_heads, H) << d;
            EXPECT_GT(bound.margin, kTolerance);
        }
    }
}

TEST(HeadLowerBound, EvidenceCanBeCheckedByHand) {
    const Index d = 4;
    const Matrix P = coefficients(test::normal_parameters(d, d, 3, Stream(33)));

    const HeadLowerBound bound = head_lower_bound(P, d, kTolerance, 3, Stream(3));

    // Over the rationals the doubles of P and x are exact, so this rank is proved for the rounded
    // P.
    ASSERT_EQ(bound.proof, LowerBoundProof::rank);
    const VectorOf<Rational> x = bound.left.cast<Rational>();
    EXPECT_GE(rational_rank(form_matrix<Rational>(P.cast<Rational>(), x)), bound.num_heads);
}

TEST(HeadLowerBound, UsesInertiaWhereTheRankSaysNothing) {
    // y = Σ_j S_jj z_1: the form x₁² + x₂² + x₃² is definite, so one output needs all three heads.
    const Index d = 3;
    Matrix P = Matrix::Zero(feature_dim(d), 1);
    for (Index j = 0; j < d; ++j) {
        P(pack_index(d, j, j) * d, 0) = 1.0;
    }

    const HeadLowerBound bound = head_lower_bound(P, d, kTolerance, 3, Stream(4));
    const HeadLowerBound exact = exact_head_lower_bound(P.cast<Rational>(), d, 3, Stream(4));

    EXPECT_EQ(bound.num_heads, 3);
    EXPECT_EQ(bound.proof, LowerBoundProof::inertia);
    EXPECT_EQ(exact.num_heads, 3);
    EXPECT_EQ(to_string(bound.proof), "inertia");
}

TEST(HeadLowerBound, CountsOnlyWhatThePerturbationCannotErase) {
    // One strong head and one of relative size 1e-3: within a tolerance of 1e-2 one head suffices.
    const Index d = 3;
    Parameters theta = test::normal_parameters(d, d, 2, Stream(34));
    theta.heads[1].V *= 1e-3;
    const Matrix P = coefficients(theta);

    EXPECT_EQ(head_lower_bound(P, d, kTolerance, 3, Stream(5)).num_heads, 2);
    EXPECT_EQ(head_lower_bound(P, d, 1e-2, 3, Stream(5)).num_heads, 1);
}

TEST(HeadLowerBound, NeverCountsRoundingAsAHead) {
    // No tolerance at all: what stands above the threshold must stand above rounding.
    for (const Index d : {3, 5, 8}) {
        for (Index H = 1; H < d; ++H) {
            const Matrix P =
                coefficients(test::normal_parameters(d, d, H, Stream(35).child(d).child(H)));

            EXPECT_EQ(head_lower_bound(P, d, 0.0, 5, Stream(7)).num_heads, H) << d;
        }
    }
}

TEST(HeadLowerBound, OfTheZeroFunctionIsZero) {
    const Matrix P = Matrix::Zero(feature_dim(3), 2);

    EXPECT_EQ(head_lower_bound(P, 3, kTolerance, 3, Stream(6)).num_heads, 0);
    EXPECT_EQ(exact_head_lower_bound(P.cast<Rational>(), 3, 3, Stream(6)).num_heads, 0);
}

}  // namespace
}  // namespace attest
