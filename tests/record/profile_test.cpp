#include "record/profile.hpp"

#include "core/base/error.hpp"
#include "tests/record/fixture.hpp"

#include <gtest/gtest.h>

namespace {

using attest::record_test::message_of;

TEST(Profile, RoundTripsAndRejectsOtherNames) {
    EXPECT_EQ(attest::to_string(attest::profile_from_string("quick")), "quick");
    EXPECT_EQ(attest::to_string(attest::profile_from_string("full")), "full");
    EXPECT_EQ(message_of<attest::UnknownName>([] { (void)attest::profile_from_string("fast"); }),
              "profile: got 'fast', expected one of quick, full; nearest: full");
}

}  // namespace
