#include "tasks/random_linear_attention.hpp"

#include "core/base/bitwise.hpp"
#include "core/model/forward.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(RandomLinearAttention, PlantsTheHeadsItWasAskedFor) {
    RandomLinearAttentionOptions options;
    options.d = 3;
    options.o = 1;
    options.heads = 5;

    const GroundTruth truth = random_linear_attention(options, Stream(1))->truth();

    ASSERT_TRUE(truth.heads.has_value());
    EXPECT_EQ(truth.heads->num_heads(), 5);
    EXPECT_EQ(truth.heads->o, 1);
    EXPECT_EQ(truth.heads->d, 3);
}

TEST(RandomLinearAttention, OutputsAreAsManyAsRowsByDefault) {
    EXPECT_EQ(random_linear_attention({}, Stream(1))->traits().o, 4);
}

TEST(RandomLinearAttention, PrefixLabelsEndWithTheLabelOfTheSequence) {
    RandomLinearAttentionOptions options;
    options.n = {2, 9};
    const std::unique_ptr<Task> last = random_linear_attention(options, Stream(1));
    options.labels = LabelKind::per_prefix;
    const std::unique_ptr<Task> every = random_linear_attention(options, Stream(1));

    for (Index i = 0; i < 10; ++i) {
        const Sequence sequence = every->draw(i);
        ASSERT_EQ(sequence.y.cols(), sequence.Z.cols());
        EXPECT_EQ(last->draw(i).Z, sequence.Z);
        EXPECT_EQ(last->draw(i).y, sequence.y.rightCols(1));
    }
}

// With entries in −2 … 2 and five tokens of 14 bits nothing rounds: plain attention in double gives
// the very labels.
TEST(RandomLinearAttention, SmallTeachersHaveLabelsThatAreExactInDouble) {
    RandomLinearAttentionOptions options;
    options.d = 3;
    options.n = {5, 5};
    options.teacher = TeacherKind::small;
    const std::unique_ptr<Task> task = random_linear_attention(options, Stream(1));
    const Parameters theta = *task->truth().heads;

    for (Index i = 0; i < 20; ++i) {
        const Sequence sequence = task->draw(i);
        const Vector z = sequence.Z.col(4);
        EXPECT_EQ(sequence.y, Matrix(attend<double>(theta, sequence.Z, z)));
    }
}

TEST(RandomLinearAttention, LongerSequencesExtendShorterOnes) {
    RandomLinearAttentionOptions options;
    options.n = {3, 3};
    const Matrix short_Z = random_linear_attention(options, Stream(1))->draw(2).Z;
    options.n = {7, 7};
    const Matrix long_Z = random_linear_attention(options, Stream(1))->draw(2).Z;

    EXPECT_EQ(long_Z.leftCols(3), short_Z);
}

TEST(RandomLinearAttention, InputScaleScalesTheInputs) {
    RandomLinearAttentionOptions options;
    const Matrix Z = random_linear_attention(options, Stream(1))->draw(0).Z;
    options.input_scale = 0.25;
    const Matrix quarter = random_linear_attention(options, Stream(1))->draw(0).Z;
    options.input_scale = 0.1;
    const std::unique_ptr<Task> tenth = random_linear_attention(options, Stream(1));

    EXPECT_EQ(quarter * 4.0, Z);
    EXPECT_LE((tenth->draw(0).Z - 0.1 * Z).cwiseAbs().maxCoeff(), 0x1p-15 + 0x1p-50);
    EXPECT_TRUE(tenth->traits().bitwise);
}

TEST(RandomLinearAttention, LongSequencesAreNotBitwise) {
    RandomLinearAttentionOptions options;
    options.n = {16384, 16384};
    EXPECT_TRUE(random_linear_attention(options, Stream(1))->traits().bitwise);
    options.n = {16384, 16385};
    EXPECT_FALSE(random_linear_attention(options, Stream(1))->traits().bitwise);
}

TEST(RandomLinearAttention, RefusesDataWithoutLabelsAndNegativeSequences) {
    RandomLinearAttentionOptions options;
    EXPECT_REFUSED("task random-linear-attention: got sequence -1",
                   random_linear_attention(options, Stream(1))->draw(-1));
    options.n = {3, 2};
    EXPECT_REFUSED("task random-linear-attention: got d = 4 and n = 3..2",
                   random_linear_attention(options, Stream(1)));
    options.labels = LabelKind::none;
    EXPECT_REFUSED("task random-linear-attention: got labels none",
                   random_linear_attention(options, Stream(1)));
}

}  // namespace
}  // namespace attest
