#include "core/data/archive/npz.hpp"

#include "core/base/error.hpp"
#include "tests/support/archives.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {

namespace {

NpyArray numbers(std::vector<double> data) {
    const Index size = std::ssize(data);
    return {DType::float64, {size}, std::move(data)};
}

TEST(Npz, ReadsBackWhatItWrites) {
    for (const Compression compression : {Compression::stored, Compression::deflated}) {
        NpzWriter writer(compression);
        writer.add("a", numbers({1.5, -2.0}));
        writer.add("b", {DType::uint8, {2, 1}, {3, 4}});
        const std::vector<std::byte> bytes = writer.bytes();

        const NpzReader file = NpzReader::from_bytes(bytes, "f.npz");

        EXPECT_EQ(file.keys(), (std::vector<std::string>{"a", "b"}));
        EXPECT_EQ(file.read("a").data, (std::vector<double>{1.5, -2.0}));
        EXPECT_EQ(file.header("b").dtype, DType::uint8);
        EXPECT_EQ(file.header("b").shape, (std::vector<Index>{2, 1}));
        EXPECT_EQ(file.read("b").data, (std::vector<double>{3, 4}));
    }
}

TEST(Npz, DeflatingShrinksWhatRepeats) {
    NpzWriter stored;
    NpzWriter deflated(Compression::deflated);
    stored.add("a", numbers(std::vector<double>(1000, 0.1)));
    deflated.add("a", numbers(std::vector<double>(1000, 0.1)));

    EXPECT_LT(deflated.bytes().size(), stored.bytes().size() / 10);
}

TEST(Npz, SameArraysGiveTheSameBytesAtAnyTime) {
    const TemporaryFolder folder;
    for (const std::string name : {"a.npz", "b.npz"}) {
        NpzWriter writer;
        writer.add("x", numbers({1, 2, 3}));
        writer.write(folder.file(name));
    }

    EXPECT_EQ(file_content(folder.file("a.npz")), file_content(folder.file("b.npz")));
    // Day and time of both headers: 1980-01-01, 00:00.
    EXPECT_EQ(file_content(folder.file("a.npz")).substr(10, 4), std::string("\0\0\x21\0", 4));
}

TEST(Npz, WritesAWholeFileOrNone) {
    const TemporaryFolder folder;
    NpzWriter writer;
    writer.add("x", numbers({1, 2, 3}));

    EXPECT_THROW(writer.write(folder.file("absent/x.npz")), EnvironmentFailure);
    EXPECT_THROW(writer.write("/dev/full"), EnvironmentFailure);
    EXPECT_THROW(NpzWriter().write(folder.file("none.npz")), InvalidInput);
    EXPECT_EQ(folder.names(), std::vector<std::string>{});
    writer.write(folder.file("x.npz"));
    EXPECT_EQ(folder.names(), std::vector<std::string>{"x.npz"});
    EXPECT_EQ(NpzReader::open(folder.file("x.npz")).read("x").data, (std::vector<double>{1, 2, 3}));
}

TEST(Npz, LeavesOtherMembersAlone) {
    const std::string archive =
        raw_zip({stored_member("readme.txt", "no array"), stored_member("Z.npy", "broken")});

    const NpzReader file = NpzReader::from_bytes(bytes_of(archive), "f.npz");

    EXPECT_EQ(file.keys(), std::vector<std::string>{"Z"});
    EXPECT_FALSE(file.contains("readme"));
}

// NumPy gives the member Z for the key Z, not Z.npy.
TEST(Npz, RefusesAMemberNamedLikeTheKeyAskedFor) {
    const std::string archive = raw_zip({stored_member("Z.npy", "an array"),
                                         stored_member("Z", "another"),
                                         stored_member("y.npy", "labels")});
    const NpzReader file = NpzReader::from_bytes(bytes_of(archive), "f.npz");

    EXPECT_REFUSED("f.npz: Z is a member without .npy", file.contains("Z"));
    EXPECT_TRUE(file.contains("y"));
}

TEST(Npz, NamesTheFileAndTheKey) {
    const std::string archive = raw_zip({stored_member("Z.npy", "broken")});
    const NpzReader file = NpzReader::from_bytes(bytes_of(archive), "f.npz");
    const std::string message =
        "f.npz: Z: the member starts with 'broken', expected the magic bytes of an .npy array; "
        "write "
        "the file with numpy.savez";

    EXPECT_EQ(invalid_input_message([&] { (void)file.header("Z"); }), message);
    EXPECT_EQ(invalid_input_message([&] { (void)file.read("Z"); }), message);
    EXPECT_REFUSED("f.npz: holds no key 'y'", file.read("y"));
}

TEST(Npz, KeepsAnOddKeyOnOneLine) {
    const std::string archive = raw_zip({stored_member("a\nb.npy", "broken")});
    const NpzReader file = NpzReader::from_bytes(bytes_of(archive), "f.npz");

    EXPECT_EQ(file.where("a\nb"), "f.npz: 'a\\x0ab'");
}

// The shape claims 8 TB; neither those nor their absence is noticed by allocating them.
TEST(Npz, RefusesAShapeThatTheMemberCannotHoldFromItsHeader) {
    const std::string npy = npy_text("<f8", "False", "(1048576, 1048576)", "12345678");
    const std::string archive = raw_zip({deflated_member("Z.npy", npy)});
    const NpzReader file = NpzReader::from_bytes(bytes_of(archive), "f.npz");
    const std::string message =
        "f.npz: Z has 8 bytes of data, expected 8796093022208 for shape (1048576, 1048576) of "
        "float64; the file is cut short, write it again";

    EXPECT_EQ(invalid_input_message([&] { (void)file.header("Z"); }), message);
    EXPECT_EQ(invalid_input_message([&] { (void)file.read("Z"); }), message);
}

}  // namespace
}  // namespace attest::test
