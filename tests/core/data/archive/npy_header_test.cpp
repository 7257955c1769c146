#include "core/data/archive/npy_header.hpp"

#include "core/base/error.hpp"
#include "tests/support/archives.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {

namespace {

NpyHeader parse_header(const std::string& file) {
    return parse_npy_header(bytes_of(file), "f.npz: Z");
}

std::string header_message_of(const std::string& file) {
    return invalid_input_message([&] { (void)parse_header(file); });
}

std::string message_of_type(const std::string& descr) {
    return header_message_of(npy_text(descr, "False", "(1,)", ""));
}

std::string message_of_shape(const std::string& shape) {
    return header_message_of(npy_text("<f8", "False", shape, ""));
}

TEST(NpyHeader, ReadsTheThreeEntriesInAnyOrderAndQuotes) {
    const NpyHeader header =
        parse_header(npy_file(R"({"shape":(3 , 4,),'fortran_order': True, 'descr' : ">i4"}      )"
                              "\n",
                              "data"));

    EXPECT_EQ(header.dtype, DType::int32);
    EXPECT_EQ(header.endian, Endian::big);
    EXPECT_EQ(header.order, AxisOrder::fortran);
    EXPECT_EQ(header.shape, (std::vector<Index>{3, 4}));
    EXPECT_EQ(header.num_elements(), 12);
    EXPECT_EQ(header.data_bytes(), 48);
}

TEST(NpyHeader, ReadsTheThreeVersions) {
    const std::string dict = "{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }\n";
    for (const int major : {1, 2, 3}) {
        const NpyHeader header = parse_header(npy_file(dict, "", major));

        EXPECT_EQ(header.shape, std::vector<Index>{5});
        EXPECT_EQ(header.data_start, std::ssize(dict) + (major == 1 ? 10 : 12));
    }
}

// The header numpy.save of NumPy 1.24 writes for numpy.zeros((2, 3)): 128 bytes in all.
TEST(NpyHeader, WritesWhatNumPyWrites) {
    const std::string text = npy_header_text(DType::float64, std::vector<Index>{2, 3});

    EXPECT_EQ(text,
              std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                  "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }" +
                  std::string(58, ' ') + "\n");
    EXPECT_EQ(npy_header_text(DType::uint8, std::vector<Index>{7}).substr(10, 59),
              "{'descr': '|u1', 'fortran_order': False, 'shape': (7,), }  ");
}

RC_GTEST_PROP(NpyHeader, ReadsBackWhatItWrites, ()) {
    const auto dtype = static_cast<DType>(*rc::gen::inRange(0, 10));
    const auto shape =
        *rc::gen::container<std::vector<Index>>(rc::gen::inRange<Index>(0, 1000)).as("shape");
    RC_PRE(shape.size() <= 5U);

    const std::string text = npy_header_text(dtype, shape);
    const NpyHeader header = parse_header(text);

    RC_ASSERT(text.size() % 64 == 0U);
    RC_ASSERT(header.dtype == dtype);
    RC_ASSERT(header.order == AxisOrder::c);
    RC_ASSERT(header.shape == shape);
    RC_ASSERT(header.data_start == std::ssize(text));
}

TEST(NpyHeader, PrintsShapesAsNumPyDoes) {
    EXPECT_EQ(shape_text({}), "()");
    EXPECT_EQ(shape_text(std::vector<Index>{6}), "(6,)");
    EXPECT_EQ(shape_text(std::vector<Index>{6, 4}), "(6, 4)");
}

TEST(NpyHeader, RefusesOtherFiles) {
    EXPECT_EQ(header_message_of("PK\x03\x04 something else"),
              "f.npz: Z: the member starts with 'PK\\x03\\x04 s', expected the magic bytes of an "
              ".npy array; write the file with numpy.savez");
    EXPECT_EQ(
        header_message_of(""),
        "f.npz: Z: the member starts with '', expected the magic bytes of an .npy array; write "
        "the file with numpy.savez");
    EXPECT_EQ(header_message_of(npy_file("{}", "", 4)),
              "f.npz: Z: the .npy format version is 4.0, expected 1.0, 2.0 or 3.0; write the file "
              "with numpy.savez");
}

TEST(NpyHeader, RefusesALengthBeyondTheFile) {
    std::string file = npy_text("<f8", "False", "(1,)", "");
    const std::string message =
        "f.npz: Z: the .npy header claims 65535 bytes, expected at most 58;"
        " the file is damaged or cut short";
    file[8] = '\xff';
    file[9] = '\xff';

    EXPECT_EQ(header_message_of(file), message);
    EXPECT_EQ(
        header_message_of(npy_file("", "", 2).substr(0, 11)),
        "f.npz: Z: the .npy header claims 0 bytes, expected at most 0; the file is damaged or "
        "cut short");
    EXPECT_EQ(header_message_of(npy_file(std::string(70000, ' '), "", 2)),
              "f.npz: Z: the .npy header claims 70000 bytes, expected at most 65536; the file is "
              "damaged or cut short");
}

RC_GTEST_PROP(NpyHeader, RefusesEveryPrefixOfAHeader, ()) {
    const std::string file = npy_text("<f8", "False", "(2, 3)", "");
    const auto length = *rc::gen::inRange<std::size_t>(0, file.size());

    RC_ASSERT_THROWS_AS((void)parse_header(file.substr(0, length)), InvalidInput);
}

TEST(NpyHeader, RefusesEachUnfitElementType) {
    const std::string end = ", expected float32, float64 or integers of up to 64 bits; ";
    const std::string convert = "convert it with .astype(numpy.float64)";

    EXPECT_EQ(message_of_type("|b1"), "f.npz: Z has dtype '|b1', bool" + end + convert);
    EXPECT_EQ(message_of_type("<c16"),
              "f.npz: Z has dtype '<c16', complex" + end + "store its real part");
    EXPECT_EQ(message_of_type("<f2"),
              "f.npz: Z has dtype '<f2', float16 or extended precision" + end + convert);
    EXPECT_EQ(message_of_type("<f16"),
              "f.npz: Z has dtype '<f16', float16 or extended precision" + end + convert);
    EXPECT_EQ(message_of_type("|O"),
              "f.npz: Z has dtype '|O', object (often sequences of different lengths)" + end +
                  "store one numeric array; tokens (T,d) with offsets holds different lengths");
    EXPECT_EQ(message_of_type("<U5"), "f.npz: Z has dtype '<U5', text" + end + "store numbers");
    EXPECT_EQ(message_of_type("<M8[s]"),
              "f.npz: Z has dtype '<M8[s]', dates" + end + "store numbers");
    EXPECT_EQ(message_of_type("|V8"),
              "f.npz: Z has dtype '|V8', raw bytes or a structure" + end +
                  "store each field as a key of its own");
    for (const char* descr :
         {"", "f8", "<", "|f8", "=f8", "<i3", "<i16", "<f80", "<u", "float64"}) {
        EXPECT_SAYS(message_of_type(descr), end) << descr;
    }
}

TEST(NpyHeader, RefusesAStructure) {
    EXPECT_EQ(
        header_message_of(npy_file(
            "{'descr': [('a', '<f8'), ('b', '<i4')], 'fortran_order': False, 'shape': (1,)}", "")),
        "f.npz: Z has a structured element type, expected plain numbers; store each field as a "
        "key of its own");
}

TEST(NpyHeader, RefusesSizesThatAreNegativeOrOverflow) {
    const std::string end = "; write the file with numpy.save or numpy.savez";

    EXPECT_EQ(
        message_of_shape("(-3, 4)"),
        "f.npz: Z: the .npy header reads '-3, 4), }\\x0a' at byte 51, expected a size >= 0" + end);
    EXPECT_EQ(
        message_of_shape("(9223372036854775808,)"),
        "f.npz: Z: the .npy header reads '9223372036854775808,), }\\x0a' at byte 51, expected a "
        "size below 2^63" +
            end);
    EXPECT_EQ(message_of_shape("(4294967296, 4294967296)"),
              "f.npz: Z has shape (4294967296, 4294967296), more elements than any file holds, "
              "expected fewer than 2^60; write the file again");
    EXPECT_EQ(
        message_of_shape("(1152921504606846976,)"),
        "f.npz: Z has shape (1152921504606846976,), more elements than any file holds, expected "
        "fewer than 2^60; write the file again");
    EXPECT_EQ(
        message_of_shape("(0, 4294967296, 4294967296)"),
        "f.npz: Z has shape (0, 4294967296, 4294967296), more elements than any file holds but "
        "for an empty axis, expected fewer than 2^60; write the file again");
    EXPECT_EQ(message_of_shape("(1152921504606846975,)"), "nothing was thrown");
}

const std::string kGood = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }";

std::string message_of(const std::string& text) {
    return invalid_input_message([&] { (void)parse_npy_dict(text, "f.npz: Z"); });
}

std::string message(const std::string& found, int at, const std::string& expected) {
    return "f.npz: Z: the .npy header reads " + found + " at byte " + std::to_string(at) +
           ", expected " + expected + "; write the file with numpy.save or numpy.savez";
}

TEST(NpyDict, ReadsTheLiteral) {
    const NpyDict dict = parse_npy_dict(kGood + "   \n", "f.npz: Z");

    EXPECT_EQ(dict.descr, "<f8");
    EXPECT_EQ(dict.order, AxisOrder::c);
    EXPECT_EQ(dict.shape, (std::vector<Index>{3, 4}));
}

TEST(NpyDict, ReadsShapesOfEveryRank) {
    const auto shape_of = [](const std::string& shape) {
        return parse_npy_dict("{'descr':'<f8','fortran_order':True,'shape':" + shape + "}", "")
            .shape;
    };

    EXPECT_EQ(shape_of("()"), std::vector<Index>{});
    EXPECT_EQ(shape_of("(7,)"), std::vector<Index>{7});
    EXPECT_EQ(shape_of("( 1,2 ,3, )"), (std::vector<Index>{1, 2, 3}));
}

TEST(NpyDict, NamesThePlaceWhereItStopped) {
    EXPECT_EQ(message_of(""), message("''", 0, "'{'"));
    EXPECT_EQ(message_of("{descr: 1}"), message("'descr: 1}'", 1, "a text in quotes"));
    EXPECT_EQ(message_of("{'descr"), message("''descr'", 1, "a closing quote"));
    EXPECT_EQ(message_of("{'descr' '<f8'}"), message("''<f8'}'", 9, "':'"));
    EXPECT_EQ(message_of("{'a\\x62': 1}"),
              message("''a\\x62': 1}'", 1, "a text without a backslash"));
    EXPECT_EQ(message_of("{'fortran_order': false}"), message("'false}'", 18, "True or False"));
    EXPECT_EQ(message_of("{'shape': (3)}"), message("'}'", 13, "a comma after a single size"));
    EXPECT_EQ(message_of("{'shape': (3,,)}"), message("',)}'", 13, "a size >= 0"));
    EXPECT_EQ(message_of("{'shape': (3 4)}"), message("'4)}'", 13, "','"));
    EXPECT_EQ(message_of("{'shape': [3, 4]}"), message("'[3, 4]}'", 10, "'('"));
    EXPECT_EQ(message_of("{'shape': (1.5,)}"), message("'.5,)}'", 12, "','"));
    EXPECT_EQ(message_of("{'size': 3}"),
              message("''size': 3}'", 1, "one of the keys 'descr', 'fortran_order', 'shape'"));
    EXPECT_EQ(message_of("{'descr': '<f8', 'descr': '<f8'}"),
              message("''descr': '<f8'}'", 17, "each key once"));
    EXPECT_EQ(message_of("{'descr': '<f8', }"),
              message("''", 18, "the keys 'descr', 'fortran_order' and 'shape' before this point"));
    EXPECT_EQ(message_of(kGood + " + 1"), message("'+ 1'", 60, "nothing after the closing brace"));
}

RC_GTEST_PROP(NpyDict, ReadsOrRefusesAnyTextInOneLine, ()) {
    std::string text = kGood;
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    text[at] = *rc::gen::arbitrary<char>();

    const std::string message = message_of(text);

    RC_ASSERT(message.find('\n') == std::string::npos);
}

}  // namespace
}  // namespace attest::test
