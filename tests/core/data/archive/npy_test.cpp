#include "core/data/archive/npy.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "tests/support/archives.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace attest::test {

namespace {

using Values = std::vector<double>;

NpyArray parse(const std::string& file) {
    return parse_npy(bytes_of(file), "f.npz: Z");
}

Values values(const std::string& descr, const std::string& shape, const std::string& data) {
    return parse(npy_text(descr, "False", shape, data)).data;
}

// The bytes of a number as this (little-endian) machine holds them.
template <class Number>
std::string raw(Number number) {
    return {reinterpret_cast<const char*>(&number), sizeof(Number)};
}

template <class Number>
std::string raw_big(Number number) {
    std::string text = raw(number);
    std::reverse(text.begin(), text.end());
    return text;
}

TEST(Npy, ReadsIntegersOfBothByteOrders) {
    const std::string bytes("\x01\x00\x02\x01", 4);

    EXPECT_EQ(values("<i2", "(2,)", bytes), (Values{1, 258}));
    EXPECT_EQ(values(">i2", "(2,)", bytes), (Values{256, 513}));
    EXPECT_EQ(values("<u4", "(1,)", bytes), (Values{16908289}));
    EXPECT_EQ(values(">u4", "(1,)", bytes), (Values{16777729}));
    EXPECT_EQ(values("|u1", "(4,)", bytes), (Values{1, 0, 2, 1}));
    EXPECT_EQ(values("|i1", "(2,)", "\xff\x80"), (Values{-1, -128}));
}

TEST(Npy, ReadsEveryElementTypeAtItsEdges) {
    EXPECT_EQ(values("<i4", "(1,)", raw(std::int32_t{-2147483647 - 1})), (Values{-2147483648.0}));
    EXPECT_EQ(values(">u2", "(1,)", raw_big(std::uint16_t{65535})), (Values{65535}));
    EXPECT_EQ(values("<f4", "(1,)", raw(-1.5F)), (Values{-1.5}));
    EXPECT_EQ(values(">f4", "(1,)", raw_big(0.1F)), (Values{static_cast<double>(0.1F)}));
    EXPECT_EQ(values(">f8", "(1,)", raw_big(0.1)), (Values{0.1}));
    EXPECT_EQ(values("<i8", "(1,)", raw(-(std::int64_t{1} << 53U))), (Values{-9007199254740992.0}));
    EXPECT_EQ(values("<u8", "(1,)", raw(std::uint64_t{1} << 53U)), (Values{9007199254740992.0}));
}

TEST(Npy, RefusesIntegersThatADoubleCannotHold) {
    constexpr std::int64_t kBeyond = (std::int64_t{1} << 53U) + 1;
    const std::string end =
        ", expected at most 2^53 in size, where a double still counts; scale it down";

    EXPECT_EQ(invalid_input_message([&] { (void)values("<i8", "(1,)", raw(kBeyond)); }),
              "f.npz: Z holds the integer 9007199254740993" + end);
    EXPECT_EQ(invalid_input_message([&] { (void)values(">i8", "(1,)", raw_big(-kBeyond)); }),
              "f.npz: Z holds the integer -9007199254740993" + end);
    EXPECT_EQ(invalid_input_message([&] {
                  (void)values("<u8", "(1,)", raw(std::numeric_limits<std::uint64_t>::max()));
              }),
              "f.npz: Z holds the integer 18446744073709551615" + end);
}

// In the file, column by column: 1 4 | 2 5 | 3 6.
TEST(Npy, TurnsFortranOrderIntoCOrder) {
    const NpyArray array = parse(npy_text("|u1", "True", "(2, 3)", "\x01\x04\x02\x05\x03\x06"));

    EXPECT_EQ(array.shape, (std::vector<Index>{2, 3}));
    EXPECT_EQ(array.data, (Values{1, 2, 3, 4, 5, 6}));
}

RC_GTEST_PROP(Npy, FortranOrderPutsEachElementAtItsSubscripts, ()) {
    const auto a = *rc::gen::inRange<Index>(1, 5);
    const auto b = *rc::gen::inRange<Index>(1, 5);
    const auto c = *rc::gen::inRange<Index>(1, 5);
    std::string data;
    for (Index k = 0; k < a * b * c; ++k) {
        data += raw(static_cast<std::int16_t>(k));
    }

    const NpyArray array =
        parse(npy_text("<i2", "True", shape_text(std::vector<Index>{a, b, c}), data));

    for (Index i = 0; i < a; ++i) {
        for (Index j = 0; j < b; ++j) {
            for (Index k = 0; k < c; ++k) {
                RC_ASSERT(bitwise_equal(array.data[static_cast<std::size_t>((i * b + j) * c + k)],
                                        static_cast<double>(i + a * (j + b * k))));
            }
        }
    }
}

TEST(Npy, ReadsASingleNumberAndAnEmptyArray) {
    EXPECT_EQ(values("<f8", "()", raw(2.5)), (Values{2.5}));
    EXPECT_EQ(parse(npy_text("<f8", "True", "(3, 0, 2)", "")).data, Values{});
}

TEST(Npy, RefusesDataCutShort) {
    EXPECT_REFUSED("f.npz: Z has 8 bytes of data", values("<f8", "(2,)", raw(1.0)));
}

TEST(Npy, RefusesBytesAfterTheEnd) {
    EXPECT_REFUSED("f.npz: Z has 9 bytes of data", values("<f8", "(1,)", raw(1.0) + "x"));
}

RC_GTEST_PROP(Npy, ReadsBackWhatItWritesBitForBit, (const std::vector<double>& data)) {
    const NpyArray array{DType::float64, {1, std::ssize(data)}, data};

    const NpyArray back = parse_npy(npy_bytes(array), "f.npz: Z");

    RC_ASSERT(back.shape == array.shape);
    for (std::size_t i = 0; i < data.size(); ++i) {
        RC_ASSERT(bitwise_equal(back.data[i], data[i]));
    }
}

TEST(Npy, KeepsTheSignOfZeroNaNAndInfinity) {
    const Values odd{-0.0, std::nan(""), -std::numeric_limits<double>::infinity()};

    const NpyArray back = parse_npy(npy_bytes({DType::float64, {3}, odd}), "f.npz: Z");

    for (std::size_t i = 0; i < odd.size(); ++i) {
        EXPECT_TRUE(bitwise_equal(back.data[i], odd[i]));
    }
}

RC_GTEST_PROP(Npy, ReadsBackIntegersOfEverySize, (std::int16_t value)) {
    for (const DType dtype : {DType::float32, DType::int16, DType::int32, DType::int64}) {
        const NpyArray array{dtype, {1}, {static_cast<double>(value)}};

        const NpyArray back = parse_npy(npy_bytes(array), "f.npz: Z");

        RC_ASSERT(back.dtype == dtype);
        RC_ASSERT(back.data == array.data);
    }
}

TEST(Npy, RefusesToWriteWhatTheTypeCannotHold) {
    const auto written = [](DType dtype, double value) {
        return invalid_input_message([&] { (void)npy_bytes({dtype, {1}, {value}}); });
    };

    EXPECT_EQ(written(DType::uint8, 256), "npy_bytes: got 256, expected a value that uint8 holds");
    EXPECT_EQ(written(DType::uint8, -1), "npy_bytes: got -1, expected a value that uint8 holds");
    EXPECT_EQ(written(DType::int64, 0.5), "npy_bytes: got 0.5, expected a value that int64 holds");
    EXPECT_EQ(written(DType::int64, std::nan("")),
              "npy_bytes: got nan, expected a value that int64 holds");
    EXPECT_EQ(written(DType::float32, 0.1),
              "npy_bytes: got 0.1, expected a value that float32 holds");
    EXPECT_EQ(written(DType::float32, 1e300),
              "npy_bytes: got 1e+300, expected a value that float32 holds");
    EXPECT_EQ(written(DType::uint64, 9007199254740992.0), "nothing was thrown");
}

TEST(Npy, ElementsOutOfStepWithTheShapeAreAMistakeOfOurs) {
    EXPECT_THROW((void)npy_bytes({DType::float64, {3}, {1.0}}), BrokenInvariant);
}

}  // namespace
}  // namespace attest::test
