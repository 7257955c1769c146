#include "core/data/npy_dict.hpp"

#include "core/base/error.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest {

namespace {

using test::invalid_input_message;

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
}  // namespace attest
