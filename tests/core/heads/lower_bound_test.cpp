#include "core/heads/lower_bound.hpp"

#include "core/algebra/lapack.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/isometric.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
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
    EXPECT_GE(elimination_rank(form_matrix<Rational>(P.cast<Rational>(), x)), bound.num_heads);
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

TEST(CountingBound, OfSquareValuesIsTheKnownTable) {
    // ⌈d²(1 − √((1 − 1/d)/2))⌉ for d = 1 … 10 and 16.
    constexpr std::array<Index, 10> kBound{1, 2, 4, 7, 10, 13, 17, 22, 27, 33};

    for (Index d = 1; d <= 10; ++d) {
        EXPECT_EQ(counting_bound(d, d), kBound.at(static_cast<std::size_t>(d - 1)));
    }
    EXPECT_EQ(counting_bound(16, 16), 81);
}

TEST(CountingBound, OfOneOutputIsD) {
    for (Index d = 1; d <= 12; ++d) {
        EXPECT_EQ(counting_bound(d, 1), d);
    }
}

TEST(CountingBound, OfTwoOutputsIsAnEqualityAtD) {
    for (Index d = 2; d <= 12; ++d) {
        EXPECT_EQ(counting_bound(d, 2), d);
        EXPECT_EQ(d * (2 * d + d * d) - d * d, 2 * feature_dim(d));
    }
}

TEST(CountingBound, IsNeverAboveTheLinearConstructionNorAboveDSquared) {
    for (Index d = 1; d <= 8; ++d) {
        for (Index o = 1; o <= 2 * d; ++o) {
            EXPECT_LE(counting_bound(d, o), linear_head_count(d, o)) << d << ' ' << o;
            EXPECT_LE(linear_head_count(d, o), std::min(o * d, d * d)) << d << ' ' << o;
        }
        if (d >= 2) {
            EXPECT_LT(linear_head_count(d, d), d * d);
        }
    }
}

// The count is an upper bound of the dimension; a rank modulo a prime at integer heads is a lower
// bound. Where they meet, both are the dimension, exactly.
TEST(HeadDimension, IsTheRankOfTheJacobianExactly) {
    for (Index d = 1; d <= 4; ++d) {
        for (Index o = 1; o <= d + 2; ++o) {
            for (Index H = 0; H <= std::min(counting_bound(d, o) + 1, o * d); ++H) {
                const Parameters theta =
                    test::integer_parameters(d, o, H, Stream(21).child(d).child(o).child(H));

                EXPECT_EQ(test::exact_jacobian_rank(theta), head_dimension(d, o, H))
                    << d << ' ' << o << ' ' << H;
            }
        }
    }
}

TEST(HeadDimension, WithoutTheKoszulRelationsWouldBeWrongForOneOutput) {
    const Index d = 3;
    const Index naive = 2 * (d + d * d) - 4;

    EXPECT_GT(naive, head_dimension(d, 1, 2));
}

TEST(Counting, RefusesEmptyShapes) {
    EXPECT_REFUSED("counting_bound: a size is out of range", counting_bound(0, 1));
    EXPECT_REFUSED("head_dimension: a size is out of range", head_dimension(1, 1, -1));
    EXPECT_REFUSED("linear_head_count: a size is out of range", linear_head_count(1, 0));
}

using ExactMatrix = MatrixOf<Rational>;

ExactMatrix integers(Index rows, Index cols) {
    ExactMatrix A(rows, cols);
    for (Index i = 0; i < A.size(); ++i) {
        A.data()[i] = Rational(*rc::gen::inRange(-3, 4));
    }
    return A;
}

/// Unit lower triangular integers times unit upper triangular ones: determinant 1.
ExactMatrix unimodular(Index n) {
    ExactMatrix L = integers(n, n);
    ExactMatrix U = integers(n, n);
    L.triangularView<Eigen::StrictlyUpper>().setZero();
    U.triangularView<Eigen::StrictlyLower>().setZero();
    L.diagonal().setOnes();
    U.diagonal().setOnes();
    return L * U;
}

RC_GTEST_PROP(RationalRank, IsTheNumberOfPlantedDirections, ()) {
    const Index n = *rc::gen::inRange<Index>(1, 6);
    const Index rank = *rc::gen::inRange<Index>(0, static_cast<int>(n) + 1);
    ExactMatrix D = ExactMatrix::Zero(n, n);
    D.diagonal().head(rank).setConstant(Rational(1, 3));

    RC_ASSERT(elimination_rank(unimodular(n) * D * unimodular(n)) == rank);
}

RC_GTEST_PROP(RationalInertia, ObeysSylvestersLaw, ()) {
    const Index n = *rc::gen::inRange<Index>(1, 6);
    ExactMatrix D = ExactMatrix::Zero(n, n);
    Inertia expected;
    for (Index i = 0; i < n; ++i) {
        const int value = *rc::gen::inRange(-2, 3);
        D(i, i) = Rational(value, 7);
        expected.positive += value > 0 ? 1 : 0;
        expected.negative += value < 0 ? 1 : 0;
    }
    const ExactMatrix T = unimodular(n);

    const Inertia inertia = rational_inertia(T.transpose() * D * T);

    RC_ASSERT(inertia.positive == expected.positive);
    RC_ASSERT(inertia.negative == expected.negative);
}

RC_GTEST_PROP(RationalInertia, AgreesWithTheEigenvaluesOnZeroDiagonals, ()) {
    const Index n = *rc::gen::inRange<Index>(1, 6);
    const ExactMatrix G = integers(n, n);
    ExactMatrix S = G + G.transpose();
    S.diagonal().setZero();
    Matrix numbers(n, n);
    for (Index i = 0; i < S.size(); ++i) {
        numbers.data()[i] = S.data()[i].convert_to<double>();
    }
    // The product of the non-zero eigenvalues is an integer coefficient of the characteristic
    // polynomial and each is at most ‖S‖ ≤ 30 in modulus, so none lies below 30⁻⁴; rounding is
    // below 30·n·ε.
    const Vector eigenvalues = symmetric_eigenvalues(numbers);
    const double gap = std::pow(30.0, -4.0);

    const Inertia inertia = rational_inertia(S);

    RC_ASSERT(inertia.positive == (eigenvalues.array() > 0.5 * gap).count());
    RC_ASSERT(inertia.negative == (eigenvalues.array() < -0.5 * gap).count());
}

TEST(RationalInertia, HandlesAZeroDiagonal) {
    const ExactMatrix hyperbolic{{Rational(0), Rational(1)}, {Rational(1), Rational(0)}};

    EXPECT_EQ(rational_inertia(hyperbolic).positive, 1);
    EXPECT_EQ(rational_inertia(hyperbolic).negative, 1);
    // Trace 0 and determinant 2·1·2·3 > 0: one positive square, two negative ones.
    const ExactMatrix three{{Rational(0), Rational(1), Rational(2)},
                            {Rational(1), Rational(0), Rational(3)},
                            {Rational(2), Rational(3), Rational(0)}};
    EXPECT_EQ(rational_inertia(three).positive, 1);
    EXPECT_EQ(rational_inertia(three).negative, 2);
    EXPECT_REFUSED("rational_inertia: the matrix is not square",
                   rational_inertia(ExactMatrix(1, 2)));
}

}  // namespace

}  // namespace attest
