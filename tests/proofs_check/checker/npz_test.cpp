#include "proofs_check/checker/dataset.hpp"
#include "proofs_check/checker/digest.hpp"
#include "tests/proofs_check/checker/zip_bytes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace attest::checker {
namespace {

using checker_test::integer_list;
using checker_test::npy_bytes;
using checker_test::Packing;
using checker_test::raw;
using checker_test::write_file;
using checker_test::zip_bytes;
using checker_test::ZipEntry;

Dataset load(const std::vector<ZipEntry>& entries, Packing packing = Packing::stored) {
    return load_dataset(write_file("data.npz", zip_bytes(entries, packing)));
}

/// The message of the failure; empty if there is none.
std::string failure(const std::vector<ZipEntry>& entries) {
    try {
        (void)load(entries);
    } catch (const Failure& caught) {
        EXPECT_EQ(caught.code, 4);
        return caught.what();
    }
    return "";
}

/// Two sequences of three tokens in two dimensions.
const std::vector<double> kTokens{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

ZipEntry tokens() {
    return {"tokens.npy", npy_bytes("<f8", "(2, 3, 2)", raw(kTokens))};
}

ZipEntry ragged_tokens() {
    return {"tokens.npy", npy_bytes("<f8", "(6, 2)", raw(kTokens))};
}

TEST(LoadDataset, ReadsEveryLayoutAlike) {
    const std::vector<double> Z{1, 3, 5, 2, 4, 6, 7, 9, 11, 8, 10, 12};
    const std::vector<double> fortran{1, 7, 3, 9, 5, 11, 2, 8, 4, 10, 6, 12};
    const std::string expected = describe(load({tokens()}));

    EXPECT_EQ(load({tokens()}).tokens, kTokens);
    EXPECT_EQ(load({tokens()}).offsets, (std::vector<Index>{0, 3, 6}));
    EXPECT_EQ(describe(load({{"Z.npy", npy_bytes("<f8", "(2, 2, 3)", raw(Z))}})), expected);
    EXPECT_EQ(describe(load({ragged_tokens(), integer_list("offsets", {0, 3, 6})})), expected);
    EXPECT_EQ(describe(load({{"tokens.npy", npy_bytes("<f8", "(2, 3, 2)", raw(fortran), "True")}})),
              expected);
    const std::vector<double> Z_fortran{1, 7, 2, 8, 3, 9, 4, 10, 5, 11, 6, 12};
    EXPECT_EQ(describe(load({{"Z.npy", npy_bytes("<f8", "(2, 2, 3)", raw(Z_fortran), "True")}})),
              expected);
}

TEST(LoadDataset, ReadsEveryPackingAlike) {
    const std::string expected = describe(load({tokens()}));

    EXPECT_EQ(describe(load({tokens()}, Packing::deflated)), expected);
    EXPECT_EQ(describe(load({{"other.npy", "nonsense"}, tokens()})), expected);
}

// Below 4 GiB nobody needs them; they would be a second place to read sizes from.
TEST(LoadDataset, RefusesZip64RecordsInTheDirectory) {
    EXPECT_THROW((void)load({tokens()}, Packing::stored_zip64), Failure);
}

/// A zip file of one member with a comment behind its record in the directory.
std::string with_comment(std::string zip, const std::string& comment) {
    const std::size_t end = zip.size() - 22;
    std::uint32_t size = 0;
    std::memcpy(&size, &zip[end + 12], 4);
    const std::size_t record = end - size;
    const auto grown = static_cast<std::uint32_t>(size + comment.size());
    std::memcpy(&zip[end + 12], &grown, 4);
    zip[record + 32] = static_cast<char>(comment.size());
    return zip.insert(end, comment);
}

TEST(LoadDataset, RefusesALocatorOfAnotherDirectoryInAComment) {
    const std::string zip = zip_bytes({tokens()}, Packing::stored);
    const std::string plain(20, 'c');
    EXPECT_EQ(describe(load_dataset(write_file("plain.npz", with_comment(zip, plain)))),
              describe(load({tokens()})));
    const std::string locator = "PK\6\7" + std::string(16, '\0');
    EXPECT_THROW((void)load_dataset(write_file("hidden.npz", with_comment(zip, locator))), Failure);
}

template <class T>
std::vector<double> read_as(const std::string& type, const std::vector<T>& values) {
    return load({{"tokens.npy", npy_bytes(type, "(1, 1, 2)", raw(values))}}).tokens;
}

TEST(LoadDataset, ConvertsEveryTypeWithoutRounding) {
    EXPECT_EQ(read_as<double>("<f8", {0x1p-1074, -1.5}), (std::vector<double>{0x1p-1074, -1.5}));
    EXPECT_EQ(read_as<float>("<f4", {0.1F, -1.5F}), (std::vector<double>{0x1.99999ap-4, -1.5}));
    EXPECT_EQ(read_as<std::int8_t>("|i1", {-128, 127}), (std::vector<double>{-128, 127}));
    EXPECT_EQ(read_as<std::uint8_t>("|u1", {255, 1}), (std::vector<double>{255, 1}));
    EXPECT_EQ(read_as<std::int16_t>("<i2", {-32768, 1}), (std::vector<double>{-32768, 1}));
    EXPECT_EQ(read_as<std::uint16_t>("<u2", {65535, 1}), (std::vector<double>{65535, 1}));
    EXPECT_EQ(read_as<std::int32_t>("<i4", {-2147483647, 1}),
              (std::vector<double>{-2147483647, 1}));
    EXPECT_EQ(read_as<std::uint32_t>("<u4", {4294967295, 1}), (std::vector<double>{4294967295, 1}));
    EXPECT_EQ(read_as<std::int64_t>("<i8", {-(1LL << 53), 1LL << 53}),
              (std::vector<double>{-0x1p53, 0x1p53}));
    EXPECT_EQ(read_as<std::uint64_t>("<u8", {1ULL << 53, 0}), (std::vector<double>{0x1p53, 0}));
}

TEST(LoadDataset, RefusesWhatDoublesCannotHold) {
    const auto one = [](const std::string& type, const std::string& value) {
        return failure({{"tokens.npy", npy_bytes(type, "(1, 1, 1)", value)}});
    };

    EXPECT_EQ(one("<i8", raw<std::int64_t>({(1LL << 53) + 1})), "an integer is beyond 2^53");
    EXPECT_EQ(one("<i8", raw<std::int64_t>({std::numeric_limits<std::int64_t>::min()})),
              "an integer is beyond 2^53");
    EXPECT_EQ(one("<u8", raw<std::uint64_t>({~0ULL})), "an integer is beyond 2^53");
    EXPECT_EQ(one("<f8", raw<double>({std::numeric_limits<double>::quiet_NaN()})),
              "tokens holds a NaN or an infinity");
    EXPECT_EQ(one("<f4", raw<float>({-std::numeric_limits<float>::infinity()})),
              "tokens holds a NaN or an infinity");
    for (const char* type : {"<f2", "<c8", "|b1", ">f8", "|O8", "<U1", "f8", "8", ""}) {
        EXPECT_EQ(one(type, raw<double>({1})), "tokens is not an .npy file of numbers") << type;
    }
}

TEST(LoadDataset, ReadsLabelsAndQueries) {
    const std::vector<double> y{1, 2, 3, 4, 5, 6};
    const Dataset column =
        load({tokens(), {"y.npy", npy_bytes("<f8", "(2,)", raw<double>({1, -0.0}))}});
    const Dataset pairs = load(
        {tokens(), {"y.npy", npy_bytes("<f8", "(2, 3)", raw(y))}, integer_list("query", {2, 0})});
    const Dataset prefix =
        load({tokens(), {"y_prefix.npy", npy_bytes("<f8", "(2, 3, 1)", raw(y))}});
    const Dataset flat = load({ragged_tokens(),
                               integer_list("offsets", {0, 1, 6}),
                               {"y_prefix.npy", npy_bytes("<f8", "(6, 1)", raw(y))}});

    EXPECT_EQ(column.o, 1);
    EXPECT_FALSE(std::signbit(column.y[1]));
    EXPECT_EQ(pairs.o, 3);
    EXPECT_EQ(pairs.query, (std::vector<Index>{2, 0}));
    EXPECT_EQ(prefix.num_examples, 6);
    EXPECT_EQ(prefix.o, 1);
    EXPECT_EQ(flat.offsets, (std::vector<Index>{0, 1, 6}));
    EXPECT_EQ(flat.y, y);
}

TEST(LoadDataset, RefusesArraysThatDoNotFitTogether) {
    const std::string six = raw<double>({1, 2, 3, 4, 5, 6});
    const ZipEntry y{"y.npy", npy_bytes("<f8", "(2,)", raw<double>({1, 2}))};
    const ZipEntry y_prefix{"y_prefix.npy", npy_bytes("<f8", "(6, 1)", six)};

    EXPECT_EQ(failure({y}), "needs Z or tokens, not both");
    EXPECT_EQ(failure({tokens(), {"Z.npy", tokens().contents}}), "needs Z or tokens, not both");
    EXPECT_EQ(failure({{"Z.npy", ragged_tokens().contents}, integer_list("offsets", {0, 6})}),
              "needs Z or tokens, not both");
    EXPECT_EQ(failure({ragged_tokens()}), "bad tokens");
    EXPECT_EQ(failure({tokens(), integer_list("offsets", {0, 6})}), "bad tokens");
    EXPECT_EQ(failure({{"tokens.npy", npy_bytes("<f8", "(0, 3, 2)", "")}}),
              "tokens is not an .npy file of numbers");
    EXPECT_EQ(failure({ragged_tokens(), integer_list("offsets", {0, 5})}),
              "offsets do not cover the tokens");
    EXPECT_EQ(failure({ragged_tokens(), integer_list("offsets", {1, 6})}),
              "offsets do not cover the tokens");
    EXPECT_EQ(failure({ragged_tokens(), integer_list("offsets", {0})}),
              "offsets do not cover the tokens");
    EXPECT_EQ(failure({ragged_tokens(), integer_list("offsets", {0, 3, 3, 6})}), "bad sequence");
    EXPECT_EQ(failure({ragged_tokens(), integer_list("offsets", {0, 9, 6})}), "bad sequence");
    EXPECT_EQ(failure({tokens(), integer_list("query", {0})}), "query has a wrong length");
    EXPECT_EQ(failure({tokens(), integer_list("query", {0, 3})}), "bad sequence");
    EXPECT_EQ(failure({tokens(), integer_list("query", {0, -1})}), "bad sequence");
    EXPECT_EQ(failure({tokens(), {"query.npy", y.contents}}),
              "offsets, query are lists of integers");
    EXPECT_EQ(failure({tokens(), y, y_prefix}), "y_prefix excludes y and query");
    EXPECT_EQ(failure({tokens(), integer_list("query", {0, 0}), y_prefix}),
              "y_prefix excludes y and query");
    EXPECT_EQ(failure({tokens(), {"y.npy", npy_bytes("<f8", "(3,)", raw<double>({1, 2, 3}))}}),
              "bad labels");
    EXPECT_EQ(failure({tokens(), {"y.npy", npy_bytes("<f8", "(2, 0)", "")}}),
              "y is not an .npy file of numbers");
    EXPECT_EQ(failure({tokens(), {"y_prefix.npy", npy_bytes("<f8", "(3, 2, 1)", six)}}),
              "bad labels");
    const std::string wide(401 * sizeof(double), '\0');
    EXPECT_EQ(failure({{"tokens.npy", npy_bytes("<f8", "(1, 1, 401)", wide)}}),
              "the dimension is above 400");
}

TEST(LoadDataset, RefusesArraysThatDoNotFillTheirShape) {
    for (const char* shape : {"(2, 3, 1)",
                              "(2, 3, 3)",
                              "(2147483647, 2147483647, 2147483647)",
                              "(1, 2, 3, 2)",
                              "(99999999999, 0, 0)",
                              "()",
                              "(-2, -3, 2)",
                              "(2, 3, 2"}) {
        EXPECT_NE(failure({{"tokens.npy", npy_bytes("<f8", shape, raw(kTokens))}}), "") << shape;
    }
}

TEST(LoadDataset, RefusesAbsentAndDamagedFiles) {
    const std::string good = zip_bytes({tokens()}, Packing::deflated);
    const auto message = [](const std::string& path) {
        try {
            (void)load_dataset(path);
        } catch (const Failure& caught) {
            return std::string(caught.what());
        }
        return std::string();
    };

    EXPECT_EQ(message("/nowhere.npz"), "cannot be read, or is too large");
    EXPECT_NE(message(testing::TempDir()), "");
    const std::string no_zip = "not a zip file, or bytes follow it";
    EXPECT_EQ(message(write_file("empty.npz", "")), no_zip);
    EXPECT_EQ(message(write_file("text.npz", "attest-proof 1\n")), no_zip);
    EXPECT_EQ(message(write_file("twice.npz", zip_bytes({tokens(), tokens()}, Packing::stored))),
              "two zip entries have one name");
    for (std::size_t size = 0; size < good.size(); ++size) {
        EXPECT_NE(message(write_file("cut.npz", good.substr(0, size))), "") << size;
    }
}

TEST(LoadDataset, DoesNotAllocateAForgedSize) {
    const auto message = [](std::string archive) {
        const std::string size = "\xff\xff\xff\x7f";  // just below the limit of a file
        archive.replace(archive.rfind("PK\1\2") + 24, 4, size);
        archive.replace(22, 4, size);  // of the local header
        try {
            (void)load_dataset(write_file("bomb.npz", archive));
        } catch (const Failure& caught) {
            return std::string(caught.what());
        }
        return std::string();
    };

    // Said before memory is taken: what is found in unpacking has another message.
    const std::string expected = "an array is too large for its zip entry";
    EXPECT_EQ(message(zip_bytes({tokens()}, Packing::deflated)), expected);
    EXPECT_EQ(message(zip_bytes({tokens()}, Packing::stored)), expected);
}

}  // namespace
}  // namespace attest::checker
