#include "tasks/noisy_labels.hpp"

#include "tasks/iid_entries.hpp"
#include "tasks/random_linear_attention.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace attest {
namespace {

std::unique_ptr<Task> clean() {
    RandomLinearAttentionOptions options;
    options.teacher = TeacherKind::small;
    options.n = {3, 3};
    options.labels = LabelKind::per_prefix;
    return random_linear_attention(options, Stream(1));
}

TEST(NoisyLabels, AddGridMultiplesOfSigma) {
    const NoisyLabels noisy(clean(), 0.5, Stream(2));
    const NoisyLabels noisier(clean(), 1.0, Stream(2));
    const Sequence base = clean()->draw(4);

    // Labels of the small teacher are multiples of 2⁻³⁰ below 2¹²: adding multiples of 2⁻¹¹ is
    // exact.
    const Matrix half = noisy.draw(4).y - base.y;
    const Matrix full = noisier.draw(4).y - base.y;
    EXPECT_EQ(half * 2.0, full);
    EXPECT_GT(half.cwiseAbs().minCoeff(), 0.0);
    EXPECT_EQ((half * 2048.0).array().round().matrix(), half * 2048.0);
    EXPECT_EQ(noisy.draw(4).Z, base.Z);
}

TEST(NoisyLabels, SequencesHaveNoiseOfTheirOwn) {
    const NoisyLabels noisy(clean(), 1.0, Stream(2));

    EXPECT_NE(Matrix(noisy.draw(0).y - clean()->draw(0).y),
              Matrix(noisy.draw(1).y - clean()->draw(1).y));
}

TEST(NoisyLabels, AreNotRealisableUnlessSigmaIsZero) {
    EXPECT_FALSE(NoisyLabels(clean(), 0.5, Stream(2)).traits().realisable);
    EXPECT_TRUE(NoisyLabels(clean(), 0.0, Stream(2)).traits().realisable);
    EXPECT_EQ(NoisyLabels(clean(), 0.0, Stream(2)).draw(0).y, clean()->draw(0).y);
}

TEST(NoisyLabels, RefuseSigmasThatAreNone) {
    EXPECT_REFUSED("noisy labels: got sigma -1", NoisyLabels(clean(), -1.0, Stream(2)));
    EXPECT_REFUSED("noisy labels: got sigma inf",
                   NoisyLabels(clean(), std::numeric_limits<double>::infinity(), Stream(2)));
    EXPECT_REFUSED("noisy labels: task iid-entries has no labels",
                   NoisyLabels(iid_entries({}, Stream(1)), 1.0, Stream(2)));
}

}  // namespace
}  // namespace attest
