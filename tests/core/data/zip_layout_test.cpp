#include "core/data/zip_layout.hpp"

#include "tests/support/error_message.hpp"
#include "tests/support/odd_archives.hpp"
#include "tests/support/raw_zip.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace attest {
namespace {

using test::invalid_input_message;
using test::raw_zip;
using test::stored_member;

std::string message_for(const std::string& archive) {
    const auto size = static_cast<Index>(archive.size());
    const auto read = [&](Index first, Index count) {
        return archive.substr(static_cast<std::size_t>(std::max<Index>(first, 0)),
                              static_cast<std::size_t>(count));
    };
    return invalid_input_message([&] { require_one_archive(read, size, "f.npz"); });
}

TEST(RequireOneArchive, PassesOneArchive) {
    EXPECT_EQ(message_for(raw_zip({stored_member("Z.npy", "hello")})), "nothing was thrown");
    EXPECT_EQ(message_for(raw_zip({})), "nothing was thrown");
}

TEST(RequireOneArchive, SaysWhatIsAroundIt) {
    const std::string zip = raw_zip({stored_member("Z.npy", "hello")});
    const std::string behind =
        "f.npz: is no zip archive, is cut short, or has a comment or bytes behind it, expected an "
        ".npz file; write it with numpy.savez";
    const std::string before =
        "f.npz: bytes precede the zip archive, as when two archives are joined, expected one .npz "
        "file; write it with numpy.savez";

    EXPECT_EQ(message_for(zip + "x"), behind);
    EXPECT_EQ(message_for(zip.substr(0, zip.size() - 2) + std::string("\1\0x", 3)), behind);
    EXPECT_EQ(message_for(zip + zip), before);
    EXPECT_EQ(message_for("x" + zip), before);
}

TEST(RequireOneArchive, SaysThatAMemberHasTwoNames) {
    const std::string message =
        "f.npz: a member has a second name or a zero byte in its name, expected one plain name; "
        "write it with numpy.savez";

    EXPECT_EQ(message_for(raw_zip({stored_member(std::string("Z.npy\0", 6), "hello")})), message);
    for (const test::OddArchive& archive : test::odd_archives("Z", "hello", "other")) {
        if (archive.what == "a second name in an extra field") {
            EXPECT_EQ(message_for(archive.bytes), message);
        }
    }
}

}  // namespace
}  // namespace attest
