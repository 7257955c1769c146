#include "bench/sweep/toml_table.hpp"

#include "core/base/error.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using test::error_message;
using Strings = std::vector<std::string>;

TomlTable table_of(const std::string& text) {
    return TomlTable::parse(text, "f.toml");
}

TEST(TomlTable, GivesValuesAsTheCommandLineTakesThem) {
    const TomlTable table = table_of("a = 3\nb = 0.5\nc = 'x'\nd = true\ne = [1, 1e-3, '2 psi']\n");
    EXPECT_EQ(table.word("a"), "3");
    EXPECT_EQ(table.word("b"), "0.5");
    EXPECT_EQ(table.word("c"), "x");
    EXPECT_EQ(table.word("d"), "true");
    EXPECT_EQ(table.words("e"), (Strings{"1", "0.001", "2 psi"}));
    EXPECT_EQ(table.words("a"), Strings{"3"});
    EXPECT_EQ(table.word("z", "other"), "other");
    EXPECT_TRUE(table.is_list("e"));
    EXPECT_FALSE(table.is_list("a"));
}

TEST(TomlTable, KeepsTheOrderOfTheFile) {
    EXPECT_EQ(table_of("z = 1\na = 2\nm = 3\n").keys(), (Strings{"z", "a", "m"}));
}

TEST(TomlTable, NamesTheLineOfWhatIsWrong) {
    const TomlTable table = table_of("a = [1, 2]\n\n[learn]\nb = [[1]]\nc = []\nd = nan\n");
    const TomlTable learn = table.table("learn");
    EXPECT_EQ(error_message<InvalidInput>([&] { (void)table.word("a"); }),
              "f.toml:1: a: expected one value, not a list");
    EXPECT_EQ(error_message<InvalidInput>([&] { (void)learn.words("b"); }),
              "f.toml:4: [learn] b: expected a text, a finite number, true or false, or a list of "
              "them");
    EXPECT_EQ(error_message<InvalidInput>([&] { (void)learn.words("c"); }),
              "f.toml:5: [learn] c: expected at least one value");
    EXPECT_NE(error_message<InvalidInput>([&] { (void)learn.words("d"); }).find("f.toml:6:"),
              std::string::npos);
    EXPECT_NE(error_message<InvalidInput>([&] { (void)learn.words("e"); }).find("it is missing"),
              std::string::npos);
    EXPECT_NE(error_message<InvalidInput>([&] { (void)table.table("a"); }).find("a table, [a]"),
              std::string::npos);
    EXPECT_NE(error_message<UnknownName>([&] {
                  learn.know({"b", "c"});
              }).find("f.toml:6: [learn] d"),
              std::string::npos);
}

TEST(TomlTable, RefusesWhatIsNoToml) {
    EXPECT_NE(
        error_message<InvalidInput>([] { (void)table_of("a = 1\nb = = 2\n"); }).find("f.toml:2:"),
        std::string::npos);
}

}  // namespace
}  // namespace attest
