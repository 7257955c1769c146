#include "core/trained/safetensors.hpp"

#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace attest::test {

namespace {

/// Numbers one after the other as they stand in memory.
template <class T>
[[nodiscard]] std::string raw_bytes(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), sizeof(T) * values.size()};
}

/// A .safetensors file: the header's length, the header as given, the elements.
std::string safetensors_bytes(const std::string& header, const std::string& elements) {
    return raw_bytes(std::vector<std::uint64_t>{header.size()}) + header + elements;
}

std::vector<TensorEntry> entries_of(const std::string& bytes) {
    std::istringstream file(bytes);
    return read_safetensors_header(file, static_cast<Index>(bytes.size()), "w");
}

std::vector<double> elements_of(const std::string& bytes) {
    std::istringstream file(bytes);
    const auto entries = read_safetensors_header(file, static_cast<Index>(bytes.size()), "w");
    return read_tensor(file, entries.at(0), "w");
}

/// A file with one tensor "a" of this type and shape.
std::string one(const std::string& type, const std::string& shape, const std::string& elements) {
    return safetensors_bytes(R"({"a":{"dtype":")" + type + R"(","shape":)" + shape +
                                 R"(,"data_offsets":[0,)" + std::to_string(elements.size()) + "]}}",
                             elements);
}

std::string complaint(const std::string& bytes) {
    return invalid_input_message([&] { (void)elements_of(bytes); });
}

TEST(Safetensors, EveryFloatingTypeBecomesADoubleExactly) {
    EXPECT_EQ(elements_of(one("F64", "[2]", raw_bytes<double>({0.1, -3.0}))),
              (std::vector<double>{0.1, -3.0}));
    EXPECT_EQ(elements_of(one("F32", "[2,1]", raw_bytes<float>({0.1F, -3.0F}))),
              (std::vector<double>{static_cast<double>(0.1F), -3.0}));
    EXPECT_EQ(elements_of(one("BF16", "[3]", raw_bytes<std::uint16_t>({0x3F80, 0xC049, 1}))),
              (std::vector<double>{1.0, -3.140625, 0x1p-133}));
    EXPECT_EQ(elements_of(one("F16", "[4]", raw_bytes<std::uint16_t>({0x3C00, 0xC248, 1, 0x7BFF}))),
              (std::vector<double>{1.0, -3.140625, 0x1p-24, 65504.0}));
}

TEST(Safetensors, TensorsComeInTheOrderOfTheirElements) {
    const auto entries = entries_of(safetensors_bytes(
        R"({"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2],"data_offsets":[1,9]},)"
        R"("b":{"dtype":"U8","shape":[],"data_offsets":[0,1]}})",
        std::string(9, '\0')));
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].name, "b");
    EXPECT_EQ(entries[1].shape, std::vector<Index>{2});
    EXPECT_EQ(entries[1].first, entries[0].first + 1);
}

TEST(Safetensors, RefusesWhatIsNoSuchFile) {
    EXPECT_EQ(complaint("short"), "w: no .safetensors file: it is too short");
    EXPECT_EQ(complaint(raw_bytes<std::uint64_t>({1000}) + "{}"),
              "w: no .safetensors file: its header would have 1000 bytes");
    EXPECT_SAYS(
        complaint(raw_bytes<std::uint64_t>({std::numeric_limits<std::uint64_t>::max()}) + "{}"),
        "w: no .safetensors file: its header would have 18446744073709551615 bytes");
    EXPECT_EQ(complaint(safetensors_bytes("[1]", "")), "w: the header is no JSON object");
    EXPECT_EQ(complaint(safetensors_bytes(R"({"a":)", "")), "w: the header is no JSON object");
    const std::string a = R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
    EXPECT_EQ(complaint(safetensors_bytes("{" + a + "," + a + "}", "x")),
              "w: 'a' stands twice in the header");
}

TEST(Safetensors, RefusesTensorsThatDoNotFitTheirBytes) {
    EXPECT_SAYS(complaint(one("F64", "[3]", raw_bytes<double>({1.0}))),
                "w: 'a': data_offsets '[0,8]' do not fit 3 elements of 8 bytes");
    EXPECT_EQ(complaint(one("F64", "[-1]", "")), "w: 'a': shape holds '-1', no size");
    EXPECT_EQ(complaint(one("F64", "[4294967296,4294967296]", "")),
              "w: 'a': the shape has more elements than any file");
    EXPECT_EQ(complaint(one("Q4", "[0]", "")), "w: 'a': unknown dtype 'Q4'");
    EXPECT_EQ(complaint(one("I64", "[1]", raw_bytes<double>({1.0}))),
              "w: 'a': elements are I64, expected F64, F32, F16 or BF16");
    EXPECT_EQ(complaint(safetensors_bytes(R"({"a":[1]})", "")),
              "w: 'a': expected dtype, shape and data_offsets");
    EXPECT_SAYS(complaint(one("F64", "[1]", raw_bytes<double>({1.0})) + "x"),
                "w: 71 bytes where the header names 70: cut off, or more than it says");
}

TEST(Safetensors, RefusesHolesAndOverlaps) {
    const auto two = [](const std::string& first, const std::string& second) {
        return safetensors_bytes(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":)" + first +
                                     R"(},"b":{"dtype":"U8","shape":[2],"data_offsets":)" + second +
                                     "}}",
                                 "1234");
    };
    EXPECT_EQ(entries_of(two("[0,2]", "[2,4]")).size(), 2U);
    EXPECT_EQ(complaint(two("[0,2]", "[1,3]")), "w: 'b': its elements begin at byte 1, expected 2");
    EXPECT_EQ(complaint(two("[1,3]", "[3,5]")), "w: 'a': its elements begin at byte 1, expected 0");
}

TEST(Safetensors, RefusesWhatIsNotFiniteByItsPosition) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(complaint(one("F64", "[3]", raw_bytes<double>({1.0, 2.0, infinity}))),
              "w: 'a': element 2 is inf");
    EXPECT_EQ(complaint(one("F16", "[1]", raw_bytes<std::uint16_t>({0x7C01}))),
              "w: 'a': element 0 is nan");
}

}  // namespace

}  // namespace attest::test
