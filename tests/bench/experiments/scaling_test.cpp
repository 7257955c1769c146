#include "bench/experiments/scaling.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

/// A row as the experiment writes it, whose time is exactly d^9 nanoseconds.
Row solved(Index d) {
    Row row;
    row.id = "scaling";
    row.key.task = "random-linear-attention";
    row.key.parameters = {{"d", std::int64_t{d}}};
    row.message = "qr";
    const double seconds = 1e-9 * std::pow(static_cast<double>(d), 9.0);
    row.metrics["cpu_seconds"] = {seconds};
    row.metrics["flops"] = {seconds * 1e9};
    row.metrics["bytes"] = {1.0};
    return row;
}

TEST(Scaling, FindsTheExponentOfAPowerLawAndExtrapolatesAtTheLastRate) {
    const std::string text =
        scaling_text({solved(4), solved(6), solved(8), solved(10), solved(12)});

    EXPECT_NE(text.find("CPU seconds grow like d^9.00 over d = 8 to 12"), std::string::npos)
        << text;
    EXPECT_NE(text.find("extrapolated"), std::string::npos);
    EXPECT_NE(text.find("927788433408"), std::string::npos) << "psi at d = 12288";
}

TEST(Scaling, ExtrapolatesNothingFromTooFewSizes) {
    const std::string text = scaling_text({solved(4), solved(6)});

    EXPECT_EQ(text.find("extrapolated"), std::string::npos);
    EXPECT_EQ(text.find("grow like"), std::string::npos);
}

TEST(Scaling, SolvesEverySizeOnce) {
    EXPECT_EQ(make_scaling(Profile::quick, 1).cases.size(), 5U);
    EXPECT_EQ(make_scaling(Profile::full, 1).cases.size(), 9U);
}

}  // namespace
}  // namespace attest
