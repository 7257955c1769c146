#include "core/softmax/linear_program.hpp"

#include "core/base/error.hpp"
#include "tests/core/softmax/polytope.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace attest::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// The solver's stopping rule bounds residuals and gap by kRule relative to 1 + size; 1 + size and
/// the reduced costs of the examples, which turn a gap into a distance, take less than a factor 10.
constexpr double kRule = 1e-9;
constexpr double kStopped = 10.0 * kRule;
/// The active set stops when no slope exceeds this much of its largest possible size; it leaves the
/// slopes of its own columns at rounding level, far below.
constexpr double kActiveSetRule = 1e-12;

TEST(LinearProgram, SolvesAnExampleDoneByHand) {
    // min −y_1 − 2 y_2 with y_1 + y_2 = 1, y ≤ (1, ¾): y = (¼, ¾), objective −1.75.
    LinearProgram program{Matrix::Ones(1, 2), Vector::Ones(1), Vector(2), Vector(2)};
    program.c << -1.0, -2.0;
    program.u << 1.0, 0.75;

    const ProgramSolution solution = solve(program);

    ASSERT_EQ(solution.status, ProgramStatus::optimal);
    EXPECT_LT(std::abs(solution.objective + 1.75), kStopped);
    EXPECT_LT((solution.y - Eigen::Vector2d(0.25, 0.75)).norm(), kStopped);
    EXPECT_LT(std::abs(solution.lambda(0) + 1.0), kStopped);
}

RC_GTEST_PROP(LinearProgram, ClosesTheGapBetweenPrimalAndDual, (std::uint64_t seed)) {
    const Index n = *rc::gen::inRange<Index>(1, 6);
    const Index T = n + *rc::gen::inRange<Index>(1, 30);
    const bool bounded = *rc::gen::arbitrary<bool>();
    const Stream stream(seed);
    const Vector inside = normal_matrix(T, 1, stream.child("y")).cwiseAbs().array() + 0.1;
    LinearProgram program;
    program.A = normal_matrix(n, T, stream.child("A"));
    program.b = program.A * inside;
    // A positive c keeps the unbounded program bounded below.
    program.c = normal_matrix(T, 1, stream.child("c"));
    program.c = bounded ? program.c : Vector(program.c.cwiseAbs().array() + 0.1);
    program.u = bounded ? Vector(2.0 * inside) : Vector(Vector::Constant(T, kInfinity));

    const ProgramSolution solution = solve(program);

    RC_ASSERT(solution.status == ProgramStatus::optimal);
    RC_ASSERT((program.A * solution.y - program.b).cwiseAbs().maxCoeff() <
              kStopped * (1.0 + program.b.cwiseAbs().maxCoeff()));
    RC_ASSERT(solution.y.minCoeff() > 0.0);
    // Weak duality with λ alone: the dual value is bᵀλ + Σ u·min(0, c − Aᵀλ).
    const Vector reduced = program.c - program.A.transpose() * solution.lambda;
    double dual = program.b.dot(solution.lambda);
    for (Index t = 0; t < T; ++t) {
        if (bounded) {
            dual += program.u(t) * std::min(0.0, reduced(t));
        } else {
            RC_ASSERT(reduced(t) > -kStopped * (1.0 + program.c.maxCoeff()));
        }
    }
    RC_ASSERT(std::abs(solution.objective - dual) <
              static_cast<double>(T) * kStopped * (1.0 + std::abs(dual)));
}

TEST(LinearProgram, SaysWhenThereIsNoOptimum) {
    // y_1 = −1 with y_1 ≥ 0.
    LinearProgram program{Matrix::Ones(1, 1), -Vector::Ones(1), Vector::Ones(1), Vector::Ones(1)};
    EXPECT_EQ(solve(program).status, ProgramStatus::unfinished);
    program.u(0) = 0.0;
    EXPECT_REFUSED("linear program: got an upper bound that is not positive", solve(program));
    program.c.resize(2);
    EXPECT_THROW((void)solve(program), InvalidInput);
}

RC_GTEST_PROP(NonnegativeLeastSquares,
              SatisfiesTheConditionsOfKuhnAndTucker,
              (std::uint64_t seed)) {
    const Index r = *rc::gen::inRange<Index>(1, 8);
    const Index T = *rc::gen::inRange<Index>(1, 20);
    const Matrix E = normal_matrix(r, T, Stream(seed).child("E"));
    const Vector f = normal_matrix(r, 1, Stream(seed).child("f"));

    const Vector x = nonnegative_least_squares(E, f);

    const Vector slope = E.transpose() * (f - E * x);
    const double scale = E.norm() * (f.norm() + E.norm() * x.norm());
    for (Index t = 0; t < T; ++t) {
        RC_ASSERT(x(t) >= 0.0);
        RC_ASSERT(slope(t) <= kActiveSetRule * scale);
        RC_ASSERT(!(x(t) > 0.0) || std::abs(slope(t)) <= kActiveSetRule * scale);
    }
}

TEST(LeastDistance, IsTheCornerOrTheEdgeNearestToTheOrigin) {
    Matrix G(2, 2);
    G << 1.0, 0.0, 0.0, 1.0;
    // x ≥ 1, y ≥ −2: (1, 0). x ≥ 1, y ≥ 2: (1, 2).
    const Vector edge = *least_distance(G, Eigen::Vector2d(1.0, -2.0));
    const Vector corner = *least_distance(G, Eigen::Vector2d(1.0, 2.0));

    EXPECT_LT((edge - Eigen::Vector2d(1.0, 0.0)).norm(), 0x1p-45);
    EXPECT_LT((corner - Eigen::Vector2d(1.0, 2.0)).norm(), 0x1p-45);
    // x ≥ 1 and −x ≥ 0 at once: no point.
    Matrix opposite(2, 1);
    opposite << 1.0, -1.0;
    EXPECT_FALSE(least_distance(opposite, Eigen::Vector2d(1.0, 0.0)).has_value());
}

/// Constraints on R^n that `point` meets exactly, with `outliers` that it does not; s = ½.
AffineConstraints around(const Vector& point, Index count, Index outliers) {
    AffineConstraints constraints{
        normal_matrix(point.size(), count, Stream(3)), Vector(), Vector::Constant(count, 0.5)};
    constraints.c = constraints.v.transpose() * point;
    constraints.c.head(outliers).array() += 40.0;
    return constraints;
}

TEST(RobustPolytope, IgnoresOutliersThatWouldEmptyTheBody) {
    const Vector point = normal_matrix(6, 1, Stream(4));

    const ThetaPolytope K = robust_polytope(around(point, 100, 10));

    ASSERT_TRUE(K.found);
    // The L1 solution is exact at 90 % exact constraints, up to the stopping rule.
    EXPECT_LT((K.center - point).norm(), 100.0 * kStopped);
    EXPECT_LT(K.least_kappa, 100.0 * kStopped);
    EXPECT_EQ(K.kappa, 1.0);
    // The negative control: without dropping them, κ = 1 leaves no point.
    EXPECT_FALSE(polytope_with(around(point, 100, 10), 1.0).found);
}

TEST(RobustPolytope, HasTheWidthOfABoxAndItsNearestPoint) {
    // Coordinates themselves as constraints: K is the box |x_i − c_i| ≤ κ s.
    AffineConstraints box{
        Matrix::Identity(3, 3), Eigen::Vector3d(3.0, 0.2, -2.0), Vector::Constant(3, 0.5)};

    const ThetaPolytope K = polytope_with(box, 2.0);

    ASSERT_TRUE(K.found);
    EXPECT_LT((K.x0 - Eigen::Vector3d(2.0, 0.0, -1.0)).norm(), 0x1p-40);
    const std::optional<double> across = width(K, Eigen::Vector3d(1.0, 0.0, 0.0));
    ASSERT_TRUE(across.has_value());
    EXPECT_LT(std::abs(*across - 2.0), 10.0 * kStopped);
    box.v.conservativeResize(3, 2);
    box.c.conservativeResize(2);
    box.s.conservativeResize(2);
    EXPECT_FALSE(width(polytope_with(box, 2.0), Eigen::Vector3d(0.0, 0.0, 1.0)).has_value());
}

}  // namespace
}  // namespace attest::test
