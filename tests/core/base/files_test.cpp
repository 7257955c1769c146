#include "core/base/files.hpp"

#include "core/base/error.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/process_settings.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace attest::test {
namespace {

std::string file_of(const TemporaryFolder& folder, const std::string& bytes) {
    std::string path = folder.file("text");
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

TEST(ReadTextFile, GivesTheBytesAsTheyAre) {
    const TemporaryFolder folder;
    EXPECT_EQ(read_text_file(file_of(folder, "")), "");
    EXPECT_EQ(read_text_file(file_of(folder, "a\r\n\xff")), "a\r\n\xff");
}

TEST(ReadTextFile, RefusesWhatIsNoTextFile) {
    const TemporaryFolder folder;
    const auto refusal_of = [](const std::filesystem::path& path) {
        return invalid_input_message([&] { (void)read_text_file(path); });
    };
    EXPECT_EQ(refusal_of("/nowhere/x"),
              "/nowhere/x: cannot be read: No such file or directory; check the name and "
              "permissions");
    EXPECT_SAYS(refusal_of(folder.path()), "cannot be read: it is a folder");
    const std::string nul = file_of(folder, std::string("a\0b", 3));
    EXPECT_SAYS(refusal_of(nul), "holds a NUL");
    const std::string large = file_of(folder, std::string((std::size_t{1} << 24) + 1, 'a'));
    EXPECT_SAYS(refusal_of(large), "larger than 16 MB");
}

template <class Action>
std::string failure_of(const Action& action) {
    try {
        action();
    } catch (const EnvironmentFailure& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(AtomicFile, WritesTheBytesAndNothingElse) {
    const TemporaryFolder folder;

    write_file_atomically(folder.file("a.txt"), std::string_view("one\0two", 7));

    EXPECT_EQ(file_content(folder.file("a.txt")), std::string("one\0two", 7));
    EXPECT_EQ(folder.names(), std::vector<std::string>{"a.txt"});
}

TEST(AtomicFile, ReplacesAnOlderFile) {
    const TemporaryFolder folder;
    write_file_atomically(folder.file("a.txt"), "a longer text than the next");

    write_file_atomically(folder.file("a.txt"), "short");

    EXPECT_EQ(file_content(folder.file("a.txt")), "short");
}

TEST(AtomicFile, ShowsNothingBeforeItIsCommitted) {
    const TemporaryFolder folder;
    write_file_atomically(folder.file("a.txt"), "old");

    AtomicFile file(folder.file("a.txt"));
    file.append(std::as_bytes(std::span("new", 3)));

    EXPECT_EQ(file_content(folder.file("a.txt")), "old");
    file.commit();
    EXPECT_EQ(file_content(folder.file("a.txt")), "new");
}

TEST(AtomicFile, LeavesTheOldFileAloneWhenItIsGivenUp) {
    const TemporaryFolder folder;
    write_file_atomically(folder.file("a.txt"), "old");

    {
        AtomicFile file(folder.file("a.txt"));
        file.append(std::as_bytes(std::span("new", 3)));
    }

    EXPECT_EQ(file_content(folder.file("a.txt")), "old");
    EXPECT_EQ(folder.names(), std::vector<std::string>{"a.txt"});
}

TEST(AtomicFile, FollowsASymbolicLinkInsteadOfReplacingIt) {
    const TemporaryFolder folder;
    write_file_atomically(folder.file("target.txt"), "old");
    std::filesystem::create_symlink(folder.file("target.txt"), folder.file("link.txt"));

    write_file_atomically(folder.file("link.txt"), "new");

    EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link.txt")));
    EXPECT_EQ(file_content(folder.file("target.txt")), "new");
}

TEST(AtomicFile, GivesTheFileTheUsualPermissions) {
    const TemporaryFolder folder;
    const mode_t before = umask(027);

    write_file_atomically(folder.file("a.txt"), "x");

    umask(before);

    struct stat status {};

    ASSERT_EQ(stat(folder.file("a.txt").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST(AtomicFile, WritesIntoADeviceWithoutReplacingIt) {
    write_file_atomically("/dev/null", "gone");

    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(AtomicFile, SaysThatTheFolderIsMissing) {
    const TemporaryFolder folder;
    const std::string path = folder.file("absent/a.txt");

    EXPECT_EQ(failure_of([&] { write_file_atomically(path, "x"); }),
              path +
                  ": cannot write: No such file or directory; choose another path or make room "
                  "there");
}

TEST(AtomicFile, SaysThatTheTargetIsAFolder) {
    const TemporaryFolder folder;

    EXPECT_EQ(
        failure_of([&] { write_file_atomically(folder.file(""), "x"); }),
        folder.file("") + ": cannot write: Is a directory; choose another path or make room there");
}

TEST(AtomicFile, ReportsAFullDevice) {
    EXPECT_EQ(failure_of([&] { write_file_atomically("/dev/full", "x"); }),
              "/dev/full: cannot write: No space left on device; choose another path or make room "
              "there");
}

TEST(AtomicFile, LeavesNoPartOfAFileThatDidNotFit) {
    const TemporaryFolder folder;
    const std::string path = folder.file("a.txt");
    const std::string content(10000, 'x');

    const std::string failure = [&] {
        const FileSizeLimit limit(4096);
        return failure_of([&] { write_file_atomically(path, content); });
    }();

    EXPECT_EQ(failure,
              path + ": cannot write: File too large; choose another path or make room there");
    EXPECT_EQ(folder.names(), std::vector<std::string>{});
}

TEST(AtomicFile, CannotBeCommittedTwice) {
    const TemporaryFolder folder;
    AtomicFile file(folder.file("a.txt"));
    file.commit();

    EXPECT_THROW(file.commit(), BrokenInvariant);
    EXPECT_THROW(file.append({}), BrokenInvariant);
}

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
    const EnvironmentVariable place("TMPDIR", "/nonexistent");

    EXPECT_THROW(TemporaryDirectory(), EnvironmentFailure);
}

}  // namespace

}  // namespace attest::test
