#include "core/base/error.hpp"

#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <string>

namespace attest {
namespace {

TEST(Require, ThrowsInvalidInputWithTheMessageAsItIs) {
    const std::string message = "cubic_features: Z is 4x0, expected at least one column";

    EXPECT_EQ(test::error_message<InvalidInput>([&] { require(false, message); }), message);
    EXPECT_NO_THROW(require(true, message));
}

TEST(Ensure, ThrowsBrokenInvariantNamingTheCallersLine) {
    const auto breaks = [] { ensure(false, "svd: info is -3"); };
    const int line = __LINE__ - 1;
    const std::string got = test::error_message<BrokenInvariant>(breaks);

    // From the top of the tree, wherever that is on this machine.
    EXPECT_EQ(got, "svd: info is -3 [tests/core/base/error_test.cpp:" + std::to_string(line) + "]");
    EXPECT_NO_THROW(ensure(true, "svd: info is 0"));
}

TEST(Error, IsTheRootOfEveryKind) {
    EXPECT_EQ(test::error_message<Error>([] { throw InvalidInput("a"); }), "a");
    EXPECT_EQ(test::error_message<Error>([] { throw NotAvailable("b"); }), "b");
    EXPECT_EQ(test::error_message<Error>([] { throw EnvironmentFailure("c"); }), "c");
    EXPECT_EQ(test::error_message<Error>([] { throw BrokenInvariant("d"); }), "d");
    EXPECT_EQ(test::error_message<std::runtime_error>([] { throw Error("e"); }), "e");
}

TEST(Error, KindsAreDistinct) {
    // Programs map each kind to its own exit code, so none may be caught as another.
    EXPECT_THROW((void)test::error_message<EnvironmentFailure>([] { throw InvalidInput("a"); }),
                 InvalidInput);
    EXPECT_THROW((void)test::error_message<InvalidInput>([] { throw NotAvailable("b"); }),
                 NotAvailable);
    EXPECT_THROW((void)test::error_message<NotAvailable>([] { throw EnvironmentFailure("c"); }),
                 EnvironmentFailure);
    EXPECT_THROW((void)test::error_message<InvalidInput>([] { throw BrokenInvariant("d"); }),
                 BrokenInvariant);
}

TEST(ExpectRefused, AsksForTheWordsOnOneLineOfWhatWasThrown) {
    const auto holds = [](const char* message) {
        return bool(test::refuses("", "", message, "a"));
    };

    EXPECT_TRUE(holds("Z is a column"));
    EXPECT_FALSE(holds("Z is 4x0")) << "not the words";
    EXPECT_FALSE(holds("a\nb"));
    EXPECT_FALSE(holds("a column."));
    EXPECT_FALSE(holds("nothing was thrown"));
    EXPECT_REFUSED("Z", require(false, "Z is 4x0"));
    EXPECT_FAILS(BrokenInvariant, "svd: info is -3", ensure(false, "svd: info is -3"));
}

}  // namespace
}  // namespace attest
