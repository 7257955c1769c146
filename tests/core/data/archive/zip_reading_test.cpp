#include "core/data/archive/zip_reading.hpp"

#include "core/base/error.hpp"
#include "core/data/archive/npz.hpp"
#include "tests/support/archives.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/process_settings.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

namespace attest::test {

namespace {

/// Opens an archive in memory and reads all its members; their content.
std::vector<std::string> contents(const std::string& archive) {
    const ZipReader zip = ZipReader::from_bytes(bytes_of(archive), "f.npz");
    std::vector<std::string> texts;
    for (const ZipMember& member : zip.members()) {
        const std::vector<std::byte> bytes = zip.read(member);
        texts.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    return texts;
}

std::string message_of(const std::vector<RawMember>& members) {
    return invalid_input_message([&] { (void)contents(raw_zip(members)); });
}

TEST(ZipReader, ReadsStoredAndDeflatedMembers) {
    const std::string zeros(5000, '\0');
    const std::vector<RawMember> members{
        stored_member("a", "hello"), deflated_member("b", zeros), stored_member("c", "")};
    ASSERT_LT(members[1].data.size(), 100U);

    EXPECT_EQ(contents(raw_zip(members)), (std::vector<std::string>{"hello", zeros, ""}));
}

RC_GTEST_PROP(ZipReader, GivesBackWhatWasPacked, (const std::string& a, const std::string& b)) {
    RC_ASSERT(contents(raw_zip({stored_member("a", a), deflated_member("b", b)})) ==
              (std::vector<std::string>{a, b}));
}

TEST(ZipReader, ReadsTheFirstBytesOnly) {
    const std::string archive = raw_zip({deflated_member("a", "abcdef")});
    const ZipReader zip = ZipReader::from_bytes(bytes_of(archive), "f.npz");

    EXPECT_EQ(zip.head(zip.members()[0], 2),
              (std::vector<std::byte>{std::byte{'a'}, std::byte{'b'}}));
    EXPECT_EQ(zip.head(zip.members()[0], 100).size(), 6U);
}

TEST(ZipReader, RefusesAFileThatIsAbsentAFolderOrNoArchive) {
    const TemporaryFolder folder;
    const auto opened = [](const std::string& path) {
        return invalid_input_message([&] { (void)ZipReader::open(path); });
    };
    std::ofstream(folder.file("text.npz"))
        << "not an archive, but long enough to hold an end record";
    std::ofstream(folder.file("empty.npz")).flush();
    const std::string none =
        ": is no zip archive or is cut short, expected an .npz file; write it with numpy.savez";

    EXPECT_EQ(opened(folder.file("absent.npz")),
              folder.file("absent.npz") +
                  ": cannot read: No such file or directory; check the name and permissions");
    EXPECT_EQ(
        opened(folder.file("")),
        folder.file("") + ": is not a regular file, expected an .npz file; copy it to one first");
    EXPECT_EQ(opened(folder.file("text.npz")), folder.file("text.npz") + none);
    EXPECT_EQ(opened(folder.file("empty.npz")), folder.file("empty.npz") + none);
    EXPECT_EQ(invalid_input_message([] { (void)ZipReader::from_bytes({}, "f.npz"); }),
              "f.npz" + none);
}

RC_GTEST_PROP(ZipReader, RefusesEveryArchiveThatIsCutShort, ()) {
    const std::string archive =
        raw_zip({stored_member("a", "hello"), deflated_member("b", "world")});
    const auto length = *rc::gen::inRange<std::size_t>(0, archive.size());

    RC_ASSERT_THROWS_AS((void)contents(archive.substr(0, length)), InvalidInput);
}

TEST(ZipReader, RefusesTwoMembersOfOneName) {
    EXPECT_SAYS(message_of({stored_member("Z.npy", "1"), stored_member("Z.npy", "2")}),
                "f.npz: holds two arrays under one key");
}

TEST(ZipReader, RefusesAWrongChecksum) {
    RawMember stored = stored_member("a", "hello");
    stored.crc ^= 1U;
    RawMember deflated = deflated_member("a", "hello");
    deflated.crc ^= 1U;
    const std::string message = "f.npz: member 'a' cannot be read: CRC error; write the file again";

    EXPECT_EQ(message_of({stored}), message);
    EXPECT_EQ(message_of({deflated}), message);
}

TEST(ZipReader, RefusesASizeThatNoCompressionReaches) {
    RawMember stored = stored_member("a", "hello");
    stored.size = 6;
    RawMember deflated = deflated_member("a", "hello");
    deflated.size = 0xfffffff0U;

    EXPECT_SAYS(message_of({stored}),
                "f.npz: member 'a' declares 6 bytes, which 5 compressed bytes cannot hold");
    EXPECT_SAYS(
        message_of({deflated}),
        "f.npz: member 'a' declares 4294967280 bytes, which 7 compressed bytes cannot hold");
}

TEST(ZipReader, RefusesASizeThatIsTooLargeOrTooSmall) {
    RawMember more = deflated_member("a", "hello");
    more.size = 6;
    RawMember less = deflated_member("a", "hello");
    less.size = 4;

    EXPECT_SAYS(message_of({more}), "f.npz: member 'a' holds 5 bytes");
    EXPECT_SAYS(message_of({less}), "f.npz: member 'a' holds more than the 4 bytes it declares");
}

TEST(ZipReader, RefusesAMemberThatReachesBeyondTheFile) {
    RawMember member = stored_member("a", "hello");
    member.size = member.compressed_size = 5000;

    EXPECT_SAYS(message_of({member}), "f.npz: is no zip archive or is cut short");
}

TEST(ZipReader, RefusesHeadersThatContradictEachOther) {
    std::string archive = raw_zip({stored_member("a", "hello")});
    const std::size_t size_in_local_header = 22;
    archive[size_in_local_header] = 4;

    EXPECT_REFUSED("f.npz: holds zip headers that contradict each other", contents(archive));
}

// The checkers of proofs read and refuse the same (tests/proofs_check/checker/agreement_test.cpp).
TEST(ZipReader, ReadsOnlyWhatEveryReaderOfZipFilesReadsAlike) {
    const TemporaryFolder folder;
    for (const OddArchive& archive : odd_archives("Z", "hello", "other")) {
        const std::string path = folder.file("odd.npz");
        std::ofstream(path, std::ios::binary) << archive.bytes;
        const auto reads = [&](const auto& open) {
            return invalid_input_message([&] {
                       const NpzReader npz = open();
                       require(npz.contains("Z"), "odd.npz: no Z");
                       (void)contents(archive.bytes);
                   }) == "nothing was thrown";
        };

        EXPECT_EQ(reads([&] { return NpzReader::from_bytes(bytes_of(archive.bytes), "odd.npz"); }),
                  archive.readable)
            << archive.what;
        EXPECT_EQ(reads([&] { return NpzReader::open(path); }), archive.readable) << archive.what;
    }
}

TEST(ZipReader, RefusesDamagedDeflateData) {
    RawMember member = deflated_member("a", "hello");
    member.data[0] = '\xff';

    EXPECT_SAYS(message_of({member}), "f.npz: member 'a' cannot be read: ");
}

TEST(ZipReader, RefusesEncryptionAndOtherCompressionMethods) {
    RawMember encrypted = stored_member("a", std::string(20, 'x'));
    encrypted.flags = 1;
    RawMember squeezed = stored_member("a", "hello");
    squeezed.method = 12;

    EXPECT_SAYS(message_of({encrypted}), "f.npz: member 'a' is encrypted");
    EXPECT_SAYS(message_of({squeezed}), "f.npz: member 'a' uses compression method 12");
}

// A bomb with true headers: 10 MB of zeros in 10 kB.
TEST(ZipReader, RefusesToUnpackMoreThanTheMemoryHolds) {
    // NOLINTNEXTLINE(bugprone-string-constructor): as large as said
    const std::string zeros(10'000'000, '\0');
    const std::string archive = raw_zip({deflated_member("bomb", zeros)});
    ASSERT_LT(archive.size(), 20000U);
    const MemoryLimit limit(1'000'000);
    std::string message;

    try {
        (void)contents(archive);
    } catch (const EnvironmentFailure& error) {
        message = error.what();
    }

    EXPECT_EQ(message,
              "f.npz: member 'bomb' needs about 9.5 MiB of memory, the limit is 976.6 KiB; use a "
              "smaller file or a larger machine");
}

RC_GTEST_PROP(ZipReader, ReadsOrRefusesADamagedArchiveInOneLine, ()) {
    std::string archive = raw_zip({stored_member("Z.npy", "hello"), deflated_member("y", "world")});
    const auto at = *rc::gen::inRange<std::size_t>(0, archive.size());
    archive[at] = *rc::gen::arbitrary<char>();

    const std::string message = invalid_input_message([&] { (void)contents(archive); });

    RC_ASSERT(message.find('\n') == std::string::npos);
}

std::string letters(Index count) {
    std::string text;
    for (Index i = 0; i < count; ++i) {
        text += static_cast<char>('a' + i * i % 26);
    }
    return text;
}

std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

std::string range(ZipStream& stream, Index first, Index count) {
    std::string text(static_cast<std::size_t>(count), '?');
    stream.read(first, std::as_writable_bytes(std::span(text.data(), text.size())));
    return text;
}

RC_GTEST_PROP(ZipStream, ReadsAnyRangesInAnyOrder, ()) {
    const std::string content = letters(*rc::gen::inRange<Index>(1, 300000));
    const bool deflated = *rc::gen::arbitrary<bool>();
    const std::string archive =
        raw_zip({deflated ? deflated_member("a", content) : stored_member("a", content)});
    const ZipReader reader = ZipReader::from_bytes(bytes_of(archive), "a.zip");
    ZipStream stream = reader.stream(reader.members().front(),
                                     *rc::gen::element(MemberCheck::to_do, MemberCheck::done));

    for (int k = 0; k < 5; ++k) {
        const auto size = static_cast<Index>(content.size());
        const auto first = *rc::gen::inRange<Index>(0, size);
        const auto count = *rc::gen::inRange<Index>(0, size - first + 1);
        RC_ASSERT(range(stream, first, count) ==
                  content.substr(static_cast<std::size_t>(first), static_cast<std::size_t>(count)));
    }
}

/// A range that is not the last, then the rest.
std::string message_of_a_pass(RawMember member, Index size) {
    const std::string archive = raw_zip({std::move(member)});
    return invalid_input_message([&] {
        const ZipReader reader = ZipReader::from_bytes(bytes_of(archive), "a.zip");
        ZipStream stream = reader.stream(reader.members().front(), MemberCheck::to_do);
        (void)range(stream, 10, 20);
        (void)range(stream, 30, size - 30);
    });
}

TEST(ZipStream, ComparesTheCrcInAFirstPass) {
    for (const bool deflated : {false, true}) {
        const std::string content = letters(1000);
        RawMember member = deflated ? deflated_member("a", content) : stored_member("a", content);
        EXPECT_EQ(message_of_a_pass(member, 1000), "nothing was thrown");
        ++member.crc;
        EXPECT_EQ(message_of_a_pass(member, 1000),
                  "a.zip: member 'a' cannot be read: CRC error; write the file again");
    }
}

TEST(ZipStream, RefusesAMemberOfAnotherSizeThanDeclared) {
    RawMember member = deflated_member("a", letters(1000));
    member.size = 2000;
    EXPECT_EQ(message_of_a_pass(member, 2000).find("a.zip: member 'a' "), 0U);
    member.size = 500;
    EXPECT_EQ(message_of_a_pass(member, 500).find("a.zip: member 'a' "), 0U);
}

/// What NpyStream reads of the elements first … first+count−1.
std::vector<double> run(const NpzReader& file, Index first, Index count) {
    NpyStream stream = file.stream("a", MemberCheck::done);
    std::vector<double> elements(static_cast<std::size_t>(count));
    stream.read(first, elements);
    return elements;
}

TEST(NpyStream, ReadsRunsOfEveryType) {
    std::vector<double> numbers(60);
    std::iota(numbers.begin(), numbers.end(), 1.0);
    for (const DType dtype :
         {DType::float32, DType::float64, DType::int8, DType::int64, DType::uint16}) {
        NpzWriter writer;
        writer.add("a", {dtype, {5, 12}, numbers});
        const std::vector<std::byte> bytes = writer.bytes();
        const NpzReader file = NpzReader::from_bytes(bytes, "a.npz");

        EXPECT_EQ(run(file, 0, 60), numbers);
        EXPECT_EQ(run(file, 17, 3), (std::vector<double>{18.0, 19.0, 20.0}));
        EXPECT_EQ(run(file, 60, 0), std::vector<double>());
    }
}

TEST(NpyStream, RefusesFortranOrderAndIntegersThatNoDoubleHolds) {
    std::string header = npy_header_text(DType::int64, std::vector<Index>{2, 1});
    const std::int64_t large = (std::int64_t{1} << 53) + 1;
    std::string content = header + std::string(8, '\0') +
                          std::string(reinterpret_cast<const char*>(&large), sizeof(large));
    const std::string archive = raw_zip({stored_member("a.npy", content)});
    const NpzReader file = NpzReader::from_bytes(bytes_of(archive), "a.npz");
    EXPECT_EQ(run(file, 0, 1), std::vector<double>{0.0});
    EXPECT_REFUSED("a.npz: a holds the integer 9007199254740993", run(file, 1, 1));

    content.replace(content.find("False"), 5, "True ");
    const std::string other = raw_zip({stored_member("a.npy", content)});
    const NpzReader fortran = NpzReader::from_bytes(bytes_of(other), "a.npz");
    EXPECT_REFUSED("a.npz: a lies in Fortran order", run(fortran, 0, 1));
}

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
    for (const OddArchive& archive : odd_archives("Z", "hello", "other")) {
        if (archive.what == "a second name in an extra field") {
            EXPECT_EQ(message_for(archive.bytes), message);
        }
    }
}

}  // namespace

}  // namespace attest::test
