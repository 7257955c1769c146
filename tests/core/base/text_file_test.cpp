#include "core/base/text_file.hpp"

#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace attest {
namespace {

using test::invalid_input_message;

std::string file_of(const test::TemporaryFolder& folder, const std::string& bytes) {
    const std::string path = folder.file("text");
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

TEST(ReadTextFile, GivesTheBytesAsTheyAre) {
    const test::TemporaryFolder folder;
    EXPECT_EQ(read_text_file(file_of(folder, "")), "");
    EXPECT_EQ(read_text_file(file_of(folder, "a\r\n\xff")), "a\r\n\xff");
}

TEST(ReadTextFile, RefusesWhatIsNoTextFile) {
    const test::TemporaryFolder folder;
    const auto refusal_of = [](const std::filesystem::path& path) {
        return invalid_input_message([&] { (void)read_text_file(path); });
    };
    EXPECT_EQ(refusal_of("/nowhere/x"),
              "/nowhere/x: cannot be read: No such file or directory; check the name and "
              "permissions");
    EXPECT_NE(refusal_of(folder.path()).find("cannot be read: it is a folder"), std::string::npos);
    const std::string nul = file_of(folder, std::string("a\0b", 3));
    EXPECT_NE(refusal_of(nul).find("holds a NUL"), std::string::npos);
    const std::string large = file_of(folder, std::string((std::size_t{1} << 24) + 1, 'a'));
    EXPECT_NE(refusal_of(large).find("larger than 16 MB"), std::string::npos);
}

}  // namespace
}  // namespace attest
