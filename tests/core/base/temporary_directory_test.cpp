#include "core/base/temporary_directory.hpp"

#include "core/base/error.hpp"
#include "tests/support/environment_variable.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace attest {
namespace {

TEST(TemporaryDirectory, IsThisUsersAloneAndGoesAwayWithItsContent) {
    std::filesystem::path path;
    {
        const TemporaryDirectory directory;
        path = directory.path();
        std::ofstream(directory.file("a")) << "text";

        EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_all);
        EXPECT_TRUE(std::filesystem::exists(path / "a"));
    }

    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TemporaryDirectory, WithoutAPlaceForOneIsAnEnvironmentFailure) {
    const test::EnvironmentVariable place("TMPDIR", "/nonexistent");

    EXPECT_THROW(TemporaryDirectory(), EnvironmentFailure);
}

}  // namespace
}  // namespace attest
