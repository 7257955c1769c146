#include "core/data/npz.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/raw_zip.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

namespace attest {
namespace {

using test::deflated_member;
using test::invalid_input_message;
using test::raw_zip;
using test::RawMember;
using test::stored_member;

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
    EXPECT_EQ(invalid_input_message([&] { (void)run(file, 1, 1); }),
              "a.npz: a holds the integer 9007199254740993, expected at most 2^53 in size, where a "
              "double still counts; scale it down");

    content.replace(content.find("False"), 5, "True ");
    const std::string other = raw_zip({stored_member("a.npy", content)});
    const NpzReader fortran = NpzReader::from_bytes(bytes_of(other), "a.npz");
    EXPECT_EQ(invalid_input_message([&] { (void)run(fortran, 0, 1); }),
              "a.npz: a lies in Fortran order, expected C order to read it in parts; store "
              "numpy.ascontiguousarray of it");
}

}  // namespace
}  // namespace attest
