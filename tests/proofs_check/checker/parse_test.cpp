#include "proofs_check/checker/parse.hpp"

#include "tests/proofs_check/checker/example_files.hpp"

#include <gtest/gtest.h>

namespace attest::checker {
namespace {

/// The message of the failure; empty if there is none.
template <class Action>
std::string failure(Action action) {
    try {
        action();
    } catch (const Failure& caught) {
        EXPECT_EQ(caught.code, 1);
        return caught.what();
    }
    return "";
}

TEST(Reader, WalksThroughLinesAndComments) {
    const std::string text = checker_test::sign("first\n# one\n# two\nlist 1 5\n# last\n");
    Reader in(text);

    in.expect("first\n");
    EXPECT_FALSE(in.take("lost"));
    EXPECT_TRUE(in.take("list"));
    EXPECT_EQ(in.rest(), " 1 5");
    EXPECT_EQ(in.indices(6), (std::vector<Index>{1, 5}));
    in.finish();
}

TEST(Reader, NamesTheLineItFailsAt) {
    const std::string text = checker_test::sign("first\n# comment\nnull 1:2\nlast\n");
    Reader in(text);

    EXPECT_EQ(failure([&] { in.expect("other\n"); }), "line 1: expected other");
    in.expect("first\n");
    EXPECT_EQ(failure([&] { in.expect("other"); }), "line 3: expected other");
    in.expect("null");
    const Vector v = in.vector(9);
    EXPECT_EQ(v.line, 3);
    EXPECT_EQ(failure([&] { in.require(false, "reason"); }), "line 3: reason");
    EXPECT_EQ(failure([&] { in.require(false, "reason", 7); }), "line 7: reason");
    EXPECT_EQ(failure([&] { in.finish(); }), "line 4: expected end");
}

TEST(Reader, RejectsAWrongOrMissingEnd) {
    const std::string body = "attest-proof 1\n";
    const std::string expected = ": expected end and the SHA-256 of the lines before";

    EXPECT_EQ(failure([&] { Reader{body}; }), "line 1" + expected);
    EXPECT_EQ(failure([&] { Reader{""}; }), "line 1" + expected);
    EXPECT_EQ(failure([&] { Reader{body + "end 00\n"}; }), "line 2" + expected);
    EXPECT_EQ(failure([&] { Reader{checker_test::sign(body) + "\n"}; }), "line 2" + expected);
    EXPECT_EQ(failure([&] { Reader{"x" + checker_test::sign(body)}; }), "line 2" + expected);
    EXPECT_EQ(failure([&] { Reader{checker_test::sign(body).substr(1)}; }), "line 2" + expected);
    EXPECT_EQ(failure([&] { Reader{checker_test::sign("# no line before: ").substr(1)}; }),
              "line 1" + expected);
}

TEST(Reader, ReadsIntegersInTheirOneSpelling) {
    const std::string text = checker_test::sign("0 -7 123456789012345678901234567890\n");
    Reader in(text);

    EXPECT_EQ(in.integer(" "), 0);
    EXPECT_EQ(in.integer(" "), -7);
    EXPECT_EQ(in.integer("\n"), Integer("123456789012345678901234567890"));

    for (const char* wrong :
         {"", "-", "00", "01", "-0", "--1", "1-", "-01", "+1", "0x1", " 1", "1 ", "1.0", "1e3"}) {
        const std::string body = checker_test::sign(wrong + std::string("\n"));
        Reader reader(body);
        EXPECT_NE(failure([&] { (void)reader.integer("\n"); }), "") << wrong;
    }
}

TEST(Reader, KeepsNumbersInTheirRange) {
    const std::string text = checker_test::sign("5\n99999999999999999999\n-1\n");
    Reader in(text);

    EXPECT_EQ(failure([&] { (void)in.number(6, 9, "\n"); }),
              "line 1: a number is out of range or order");
    EXPECT_EQ(failure([&] { (void)in.number(0, 9, "\n"); }),
              "line 2: a number is out of range or order");
    EXPECT_EQ(failure([&] { (void)in.number(0, 9, "\n"); }),
              "line 3: a number is out of range or order");
}

TEST(Reader, ReadsVectorsInIncreasingOrderWithoutZeros) {
    const std::string text = checker_test::sign("null 0:-2 4:17\nnull\n");
    Reader in(text);
    in.expect("null");
    EXPECT_EQ(in.vector(5).terms, (Terms{{0, -2}, {4, 17}}));
    in.expect("null");
    EXPECT_EQ(in.vector(5).terms, Terms{});

    for (const char* wrong : {" 1:1 1:1",
                              " 2:1 1:1",
                              " 1:0",
                              " 5:1",
                              " -1:1",
                              " 1",
                              " 1:",
                              " :1",
                              "  1:1",
                              " 1:1 ",
                              "1:1"}) {
        const std::string body = checker_test::sign(wrong + std::string("\n"));
        Reader reader(body);
        EXPECT_NE(failure([&] { (void)reader.vector(5); }), "") << wrong;
    }
}

TEST(Reader, RejectsListsThatDoNotIncrease) {
    for (const char* wrong : {" 1 1", " 2 1", " 5", " 1 x", "1", " 1  2", " 1 "}) {
        const std::string body = checker_test::sign(wrong + std::string("\n"));
        Reader reader(body);
        EXPECT_NE(failure([&] { (void)reader.indices(5); }), "") << wrong;
    }
}

TEST(Reader, ReadsNumbersOfUpToAHundredThousandDigits) {
    const std::string zeros(99999, '0');
    const std::string text = checker_test::sign("-1" + zeros + "\n10" + zeros + "\n");
    Reader in(text);

    EXPECT_EQ(in.integer("\n"), -pow(Integer(10), 99999));
    EXPECT_EQ(failure([&] { (void)in.integer("\n"); }),
              "line 1: an integer has more than 100000 digits");
}

}  // namespace
}  // namespace attest::checker
