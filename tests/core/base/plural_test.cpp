#include "core/base/plural.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(Plural, IsForEveryNumberButOne) {
    EXPECT_EQ(plural(0, "head"), "0 heads");
    EXPECT_EQ(plural(1, "head"), "1 head");
    EXPECT_EQ(plural(2, "null vector"), "2 null vectors");
}

}  // namespace
}  // namespace attest
