#include "core/base/in_quotes.hpp"

#include <gtest/gtest.h>

namespace attest {

TEST(InQuotes, LeavesPrintableTextAlone) {
    EXPECT_EQ(in_quotes("truth_V"), "'truth_V'");
    EXPECT_EQ(in_quotes(""), "''");
}

TEST(InQuotes, KeepsForeignBytesOnOneLine) {
    EXPECT_EQ(in_quotes(std::string_view("a\n\x1b[2J\0\xff", 8)), "'a\\x0a\\x1b[2J\\x00\\xff'");
}

TEST(InQuotes, CutsLongText) {
    EXPECT_EQ(in_quotes(std::string(60, 'x')), "'" + std::string(60, 'x') + "'");
    EXPECT_EQ(in_quotes(std::string(61, 'x')), "'" + std::string(60, 'x') + "…'");
}

}  // namespace attest
