#include "tasks/text/tokeniser.hpp"

#include "core/base/error.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace attest::test {
namespace {

using Tokens = std::vector<std::string>;

/// Fed in pieces of `piece` bytes.
Tokens tokens_of(const std::string& text, TextUnit unit, std::size_t piece = 1000) {
    Tokens tokens;
    Tokeniser tokeniser(unit, [&](std::string_view token) { tokens.emplace_back(token); });
    for (std::size_t at = 0; at < text.size(); at += piece) {
        tokeniser.feed(std::string_view(text).substr(at, piece));
    }
    tokeniser.finish();
    return tokens;
}

TEST(Tokeniser, CutsWordsDigitRunsAndSingleSigns) {
    EXPECT_EQ(tokens_of("The GPL, v2.0 (1991)!", TextUnit::word),
              (Tokens{"the", "gpl", ",", "v", "0", ".", "0", "(", "0", ")", "!"}));
    EXPECT_EQ(tokens_of("a1b", TextUnit::word), (Tokens{"a", "0", "b"}));
    EXPECT_EQ(tokens_of("--", TextUnit::word), (Tokens{"-", "-"}));
    EXPECT_EQ(tokens_of(" \t\r\n", TextUnit::word), Tokens{});
}

TEST(Tokeniser, TakesOtherLettersOneByOneAndUnicodeSpacesAsSpaces) {
    EXPECT_EQ(tokens_of("né", TextUnit::word), (Tokens{"n", "é"}));
    EXPECT_EQ(tokens_of("a\u00a0b\u2003c", TextUnit::word), (Tokens{"a", "b", "c"}));
    EXPECT_EQ(tokens_of("\xEF\xBB\xBFword", TextUnit::word), Tokens{"word"});
}

TEST(Tokeniser, CutsCharactersWithOneSpaceForMany) {
    EXPECT_EQ(tokens_of("Ab  12\n c", TextUnit::character), (Tokens{"a", "b", " ", "0", " ", "c"}));
}

TEST(Tokeniser, DoesNotDependOnHowTheBytesCome) {
    const std::string text = "Müller's 1234 licences — “free” 日本語 x9y";
    for (const TextUnit unit : {TextUnit::word, TextUnit::character}) {
        const Tokens whole = tokens_of(text, unit);
        for (std::size_t piece = 1; piece < 9; ++piece) {
            EXPECT_EQ(tokens_of(text, unit, piece), whole);
        }
    }
}

TEST(Tokeniser, RefusesWhatIsNoUtf8WithItsLine) {
    const auto message = [](const std::string& text) {
        return invalid_input_message([&] { static_cast<void>(tokens_of(text, TextUnit::word)); });
    };
    EXPECT_SAYS(message("a\nb\n\xFF"), "line 3: got a byte that starts no character");
    EXPECT_SAYS(message("caf\xE9 au"), "line 1: got a character that is cut short");
    EXPECT_SAYS(message("\xE2\x82"), "line 1: the text ends within a character");
    EXPECT_EQ(message(std::string("a\0b", 3)), "line 1: got a NUL, expected text in UTF-8");
    for (const char* bytes : {"\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE0\x80\x80"}) {
        EXPECT_NE(message(bytes), "nothing was thrown") << bytes;
    }
}

TEST(Tokeniser, NormalisesWordsOfTreebanks) {
    EXPECT_EQ(normalised_word("GPLv3.14"), "gplv0.0");
    EXPECT_EQ(normalised_word("1991"), "0");
}

}  // namespace
}  // namespace attest::test
