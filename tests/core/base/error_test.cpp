#include "core/base/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace attest {
namespace {

template <class Exception, class Action>
std::string message_of(const Action& action) {
    try {
        action();
    } catch (const Exception& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(Require, ThrowsInvalidInputWithTheMessageAsItIs) {
    const std::string message = "cubic_features: Z is 4x0, expected at least one column";

    EXPECT_EQ(message_of<InvalidInput>([&] { require(false, message); }), message);
    EXPECT_NO_THROW(require(true, message));
}

TEST(Ensure, ThrowsBrokenInvariantNamingTheCallersLine) {
    const int line = __LINE__ + 1;
    const std::string got = message_of<BrokenInvariant>([] { ensure(false, "svd: info is -3"); });

    // From the top of the tree, wherever that is on this machine.
    EXPECT_EQ(got, "svd: info is -3 [tests/core/base/error_test.cpp:" + std::to_string(line) + "]");
    EXPECT_NO_THROW(ensure(true, "svd: info is 0"));
}

TEST(Error, IsTheRootOfEveryKind) {
    EXPECT_EQ(message_of<Error>([] { throw InvalidInput("a"); }), "a");
    EXPECT_EQ(message_of<Error>([] { throw NotAvailable("b"); }), "b");
    EXPECT_EQ(message_of<Error>([] { throw EnvironmentFailure("c"); }), "c");
    EXPECT_EQ(message_of<Error>([] { throw BrokenInvariant("d"); }), "d");
    EXPECT_EQ(message_of<std::runtime_error>([] { throw Error("e"); }), "e");
}

TEST(Error, KindsAreDistinct) {
    // Programs map each kind to its own exit code, so none may be caught as another.
    EXPECT_THROW(message_of<EnvironmentFailure>([] { throw InvalidInput("a"); }), InvalidInput);
    EXPECT_THROW(message_of<InvalidInput>([] { throw NotAvailable("b"); }), NotAvailable);
    EXPECT_THROW(message_of<NotAvailable>([] { throw EnvironmentFailure("c"); }),
                 EnvironmentFailure);
    EXPECT_THROW(message_of<InvalidInput>([] { throw BrokenInvariant("d"); }), BrokenInvariant);
}

}  // namespace
}  // namespace attest
