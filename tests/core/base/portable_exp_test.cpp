#include "core/base/portable_exp.hpp"

#include "core/base/bitwise.hpp"
#include "core/exact/reals.hpp"
#include "core/rng/stream.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace attest {
namespace {

TEST(PortableExp, IsOneAtZeroAndZeroFarBelow) {
    EXPECT_TRUE(bitwise_equal(portable_exp(0.0), 1.0));
    EXPECT_TRUE(bitwise_equal(portable_exp(-701.0), 0.0));
    EXPECT_TRUE(bitwise_equal(portable_exp(-std::numeric_limits<double>::infinity()), 0.0));
}

RC_GTEST_PROP(PortableExp, IsWithinFourUnitsInTheLastPlace, (std::uint64_t seed)) {
    Draws draws{Stream(seed)};
    const double x = -static_cast<double>(draws.below(700 << 20)) * 0x1p-20;

    const Real50 exact = exp(Real50(x));

    const Real50 error = abs(Real50(portable_exp(x)) - exact) / exact;
    RC_ASSERT(error < Real50(4.0 * std::numeric_limits<double>::epsilon()));
}

TEST(PortableExp, RefusesPositiveArguments) {
    EXPECT_REFUSED("portable_exp: got 0.5", portable_exp(0.5));
}

}  // namespace
}  // namespace attest
