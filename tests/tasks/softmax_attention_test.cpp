#include "tasks/softmax_attention.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/bitwise.hpp"
#include "core/softmax/diagnostics.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

SoftmaxTeacherOptions teacher_of(ThetaKind theta, ValueKind value) {
    SoftmaxTeacherOptions options;
    options.theta = theta;
    options.value = value;
    return options;
}

TEST(SoftmaxTeacher, EveryThetaHasTheNormAskedForAndItsStructure) {
    for (const auto& kind : kThetaKinds) {
        SoftmaxTeacherOptions options = teacher_of(kind.value, ValueKind::orthogonal);
        options.norm = 2.5;
        for (const SoftmaxHead& head : softmax_teacher(options, Stream(1))) {
            // The norm is a sum of 36 squares, a square root and a quotient per entry.
            EXPECT_LT(std::abs(head.Theta.norm() / 2.5 - 1.0), 40.0 * 0x1p-53) << kind.name;
        }
    }
    const auto first = [](ThetaKind kind) {
        return softmax_teacher(teacher_of(kind, ValueKind::orthogonal), Stream(2))[0].Theta;
    };
    EXPECT_TRUE(first(ThetaKind::diagonal).isDiagonal(0.0));
    EXPECT_TRUE(is_zero(first(ThetaKind::block)(0, 2)));
    EXPECT_FALSE(is_zero(first(ThetaKind::block)(2, 3)));
    EXPECT_EQ(first(ThetaKind::symmetric), Matrix(first(ThetaKind::symmetric).transpose()));
    // Two rank-1 factors multiply without a sum: the second singular value is rounding.
    const Vector sigma = singular_values(first(ThetaKind::low_rank));
    EXPECT_LT(sigma(1), 6.0 * 0x1p-52 * sigma(0));
    EXPECT_GT(singular_values(first(ThetaKind::dense))(5), 0.0);
}

TEST(SoftmaxTeacher, ConditionedValuesHaveARegularSumAndSingularOnesDoNot) {
    for (Index seed = 0; seed < 10; ++seed) {
        const Stream stream = Stream(3).child(seed);
        const Matrix regular = sum_of_values(
            softmax_teacher(teacher_of(ThetaKind::dense, ValueKind::conditioned), stream));
        const Matrix singular = sum_of_values(
            softmax_teacher(teacher_of(ThetaKind::dense, ValueKind::singular), stream));

        EXPECT_GE(scaled_least_sigma(regular), 0.25);
        // W_1ᵀ W_2 has the eigenvalue −1, so Σ W has a kernel, up to the rounding of two Haar
        // draws.
        EXPECT_LT(scaled_least_sigma(singular), 30.0 * 6.0 * 0x1p-52);
    }
}

TEST(SoftmaxTeacher, RefusesWhatItCannotDraw) {
    SoftmaxTeacherOptions three = teacher_of(ThetaKind::dense, ValueKind::singular);
    three.heads = 3;
    EXPECT_REFUSED("softmax_teacher: got 3 heads", softmax_teacher(three, Stream(1)));
    SoftmaxTeacherOptions scalar = teacher_of(ThetaKind::dense, ValueKind::conditioned);
    scalar.rank = 7;
    EXPECT_REFUSED("softmax_teacher: expected d, heads and norm above 0 and rank from 1 to d",
                   softmax_teacher(scalar, Stream(1)));
}

TEST(ParityHeads, ComputeTheParityOfTwoCoordinates) {
    // d = 2, S = {1}: Y_00 is x_00 where x_00 ≠ x_10 and x_01 = x_11, and 0 elsewhere.
    const double beta = 60.0;
    const SoftmaxHeads heads = parity_heads(2, {1}, beta);
    for (Index code = 0; code < 16; ++code) {
        Matrix X(2, 2);
        for (Index e = 0; e < 4; ++e) {
            X(e) = (code >> e) % 2 == 0 ? 1.0 : -1.0;
        }
        const bool differ = X(0, 0) * X(0, 1) < 0.0;
        const bool same = X(1, 0) * X(1, 1) > 0.0;

        const Matrix Y = softmax_attention(heads, X, 2);

        const double expected = differ && same ? 2.0 * X(0, 0) : 0.0;
        EXPECT_LT(std::abs(Y(0, 0) - expected), 4.0 * std::exp(-beta / 2.0) + 0x1p-50);
        EXPECT_TRUE(bitwise_equal(parity_target(X, {1})(0, 0), expected) || is_zero(expected));
        EXPECT_TRUE(is_zero(Y(1, 0)));
    }
}

TEST(ParityHeads, RefuseCoordinatesOutOfOrder) {
    EXPECT_REFUSED("parity_heads: got coordinate 1", parity_heads(4, {2, 1}, 1.0));
    EXPECT_THROW((void)parity_heads(4, {0}, 1.0), InvalidInput);
    EXPECT_THROW((void)parity_heads(4, {4}, 1.0), InvalidInput);
}

TEST(SoftmaxAttentionTask, LabelsAreTheLayersOutputsAtEveryToken) {
    SoftmaxAttentionOptions options;
    options.k = 3;
    const SoftmaxAttention task(options, Stream(4));

    const Sequence sequence = task.draw(7);
    const SoftmaxExamples block = softmax_source(task, 5, 10).draw(2, 1);

    EXPECT_EQ(block.X, sequence.Z);
    EXPECT_EQ(block.Y, softmax_attention(task.heads(), sequence.Z, 3));
    EXPECT_EQ(block.Y, sequence.y.reshaped(6, 3));
}

TEST(SoftmaxAttentionTask, TokensFollowTheLaw) {
    SoftmaxAttentionOptions options;
    options.law = TokenLaw::boolean;
    EXPECT_EQ(SoftmaxAttention(options, Stream(5)).draw(0).Z.cwiseAbs(), Matrix::Ones(6, 2));
    options.law = TokenLaw::sphere;
    const Vector squares =
        SoftmaxAttention(options, Stream(5)).draw(0).Z.colwise().squaredNorm().transpose();
    EXPECT_LT((squares.array() / 6.0 - 1.0).abs().maxCoeff(), 20.0 * 0x1p-53);
}

TEST(SoftmaxSource, RefusesATaskWithOtherLabels) {
    const SoftmaxAttention task({}, Stream(6));
    EXPECT_THROW((void)softmax_source(task, -1, 3), InvalidInput);
    EXPECT_THROW((void)softmax_source(task, 0, 0), InvalidInput);
}

}  // namespace
}  // namespace attest
