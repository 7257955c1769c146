#include "core/questions/probe.hpp"

#include "core/base/shape.hpp"
#include "core/layers/parse_layer.hpp"

#include <gtest/gtest.h>

namespace attest::test {
namespace {

double seconds_of(const char* layer, Index d, std::optional<double> noise = std::nullopt) {
    return probe_seconds({layer_named(layer), d, 0, noise});
}

TEST(ProbeSeconds, GrowAsTheCubeOfTheFeaturesWhereTheirDivisorsAreOne) {
    const double ratio = static_cast<double>(feature_dim(12)) / static_cast<double>(feature_dim(6));
    EXPECT_NEAR(seconds_of("linear", 12) / seconds_of("linear", 6), ratio * ratio * ratio, 1e-9);
    EXPECT_GT(seconds_of("decay=1,1/2", 6), seconds_of("linear", 6)) << "numbers that grow";
}

TEST(ProbeSeconds, AreNoneOfWhatIsRefusedOrHasNoDivisors) {
    EXPECT_EQ(seconds_of("gates", 4), 0.0);
    EXPECT_EQ(seconds_of("linear", 12, 0.01), 0.0);
}

/// Nearly all of the time, for what is not shown.
TEST(Probe, LeavesOutDivisorsWhereNoiseIsGiven) {
    EXPECT_EQ(probe({Layer(), 2, 0, std::nullopt}).design.divisors.size(), 6U);
    EXPECT_TRUE(probe({Layer(), 2, 0, 0.01}).design.divisors.empty());
}

}  // namespace
}  // namespace attest::test
