#include "tasks/teacher.hpp"

#include "core/base/bitwise.hpp"
#include "core/exact/scalars.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace attest {
namespace {

/// Whether A·2²⁰ is an integer matrix.
bool on_grid(const Matrix& A) {
    return (A * 0x1p20).array().round().matrix() == A * 0x1p20;
}

RC_GTEST_PROP(RandomTeacher, EntriesLieOnTheGrid, (std::uint64_t seed)) {
    TeacherOptions options;
    options.kind =
        *rc::gen::element(TeacherKind::plain, TeacherKind::normalised, TeacherKind::small);
    options.d = *rc::gen::inRange<Index>(1, 6);
    options.o = *rc::gen::inRange<Index>(1, 6);
    options.heads = *rc::gen::inRange<Index>(0, 4);
    options.scale = *rc::gen::element(1.0, 0.3, 8.0);

    const Parameters theta = random_teacher(options, Stream(seed));

    RC_ASSERT(theta.num_heads() == options.heads);
    check_shapes(theta);
    for (const Head& head : theta.heads) {
        RC_ASSERT(on_grid(head.V) && on_grid(head.Q));
    }
}

RC_GTEST_PROP(RandomTeacher, NormalisedHeadsHaveTheirNorms, (std::uint64_t seed)) {
    TeacherOptions options;
    options.d = *rc::gen::inRange<Index>(1, 6);
    options.o = *rc::gen::inRange<Index>(1, 6);

    const Parameters theta = random_teacher(options, Stream(seed));

    // Rounding moves each of k entries by at most 2⁻²¹, the norm by at most √k·2⁻²¹; the √ and the
    // division add far less.
    const auto miss = [](const Matrix& A, Index squared_norm) {
        return std::abs(A.norm() - std::sqrt(static_cast<double>(squared_norm)));
    };
    RC_ASSERT(miss(theta.heads[0].V, options.o) <= 6.0 * 0x1p-21);
    RC_ASSERT(miss(theta.heads[0].Q, options.d) <= 6.0 * 0x1p-21);
}

TEST(RandomTeacher, ScaleMultipliesEveryEntry) {
    TeacherOptions options;
    options.kind = TeacherKind::plain;
    const Parameters plain = random_teacher(options, Stream(1));
    options.scale = 0.5;
    const Parameters halved = random_teacher(options, Stream(1));

    EXPECT_EQ(halved.heads[0].V * 2.0, plain.heads[0].V);
    EXPECT_EQ(halved.heads[0].Q * 2.0, plain.heads[0].Q);
}

TEST(RandomTeacher, MoreHeadsKeepTheFirst) {
    TeacherOptions options;
    const Parameters one = random_teacher(options, Stream(1));
    options.heads = 3;
    const Parameters three = random_teacher(options, Stream(1));

    EXPECT_EQ(three.heads[0].V, one.heads[0].V);
    EXPECT_NE(three.heads[1].V, one.heads[0].V);
    EXPECT_NE(three.heads[0].V, three.heads[0].Q);
}

TEST(RandomTeacher, SmallEntriesAreIntegersUpToTwo) {
    TeacherOptions options;
    options.d = 8;
    options.kind = TeacherKind::small;

    const Matrix Q = random_teacher(options, Stream(1)).heads[0].Q;

    EXPECT_EQ(Q.array().round().matrix(), Q);
    EXPECT_TRUE(bitwise_equal(Q.maxCoeff(), 2.0));
    EXPECT_TRUE(bitwise_equal(Q.minCoeff(), -2.0));
}

TEST(RandomDirection, PassesOverDrawsOfZeros) {
    // A single grid_normal entry is 0 with probability 1/2567; a direction never is.
    for (Index i = 0; i < 20000; ++i) {
        const Matrix A = random_direction(1, 1, 1.0, Stream(1).child(i));

        ASSERT_TRUE(bitwise_equal(std::abs(A(0, 0)), 1.0)) << i;
    }
}

TEST(RoundToTeacherGrid, TakesTheNearestMultiple) {
    Matrix A(1, 2);
    A << 0x1.8p-21, -0x1p-22;

    const Matrix rounded = round_to_teacher_grid(A);

    EXPECT_TRUE(bitwise_equal(rounded(0, 0), 0x1p-20));
    EXPECT_TRUE(is_zero(rounded(0, 1)));
}

TEST(RandomTeacher, RefusesEmptyShapesAndWildScales) {
    TeacherOptions options;
    options.scale = 0.0;
    EXPECT_REFUSED("random_teacher: got scale 0", random_teacher(options, Stream(0)));
    options.d = 0;
    EXPECT_REFUSED("random_teacher: got d = 0, o = 4, heads = 1",
                   random_teacher(options, Stream(0)));
}

}  // namespace
}  // namespace attest
