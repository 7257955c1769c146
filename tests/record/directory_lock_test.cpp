#include "record/directory_lock.hpp"

#include "core/base/error.hpp"
#include "tests/record/fixture.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace {

using attest::DirectoryLock;
using attest::EnvironmentFailure;
using attest::record_test::write_text;

namespace fs = std::filesystem;

TEST(DirectoryLock, MakesTheDirectoryAndLeavesNothingInIt) {
    const attest::test::TemporaryFolder parent;
    const fs::path wanted = parent.path() / "a" / "b";

    { const DirectoryLock lock(wanted); }

    EXPECT_TRUE(fs::is_directory(wanted));
    EXPECT_TRUE(fs::is_empty(wanted));
}

TEST(DirectoryLock, SecondRunIsRefusedUntilTheFirstEnds) {
    const attest::test::TemporaryFolder directory;
    {
        const DirectoryLock first(directory.path());
        EXPECT_EQ(attest::test::error_message<EnvironmentFailure>(
                      [&] { DirectoryLock second(directory.path()); }),
                  directory.path().string() +
                      ": another run is writing here; wait for it or choose another directory");
    }
    EXPECT_NO_THROW(DirectoryLock again(directory.path()));
}

TEST(DirectoryLock, PathBelowAFileIsAnEnvironmentFailure) {
    const attest::test::TemporaryFolder directory;
    write_text(directory.path() / "file", "");

    const fs::path below = directory.path() / "file" / "out";
    EXPECT_EQ(attest::test::error_message<EnvironmentFailure>([&] { DirectoryLock lock(below); }),
              below.string() + ": cannot make this directory: Not a directory");
}

}  // namespace
