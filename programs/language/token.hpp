#pragma once

#include "core/algebra/matrix.hpp"
#include "core/base/shape.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// A line of a text file that is neither empty nor a comment ("# …"), in words.
struct WordLine {
    Index number = 0;  ///< counted from 1
    std::vector<std::string> words;
};

[[nodiscard]] std::vector<WordLine> split_lines(std::string_view text);

/// Throws InvalidInput "what: line N: text".
[[noreturn]] void refuse_line(std::string_view what, const WordLine& line, std::string_view text);

/// The position of a name, −1 if it is not there.
[[nodiscard]] Index find_name(const std::vector<std::string>& names, std::string_view name);

/// The position of a name, which is appended if it is new.
Index find_or_add(std::vector<std::string>& names, const std::string& name);

/// A word as numbers of its symbols: letter by letter when every symbol is one letter, otherwise
/// separated by commas. `what` starts the message. Throws InvalidInput on an unknown symbol.
[[nodiscard]] std::vector<Index> parse_word(std::string_view what,
                                            std::string_view word,
                                            const std::vector<std::string>& symbols);

/// The other way round.
[[nodiscard]] std::string format_word(const std::vector<Index>& word,
                                      const std::vector<std::string>& symbols);

/// One nonzero entry of a token.
struct TokenEntry {
    Index row = 0;
    std::int64_t value = 0;

    friend bool operator==(const TokenEntry&, const TokenEntry&) = default;
};

/// A token of integers, a column of Z: its nonzero entries by ascending row, each row once.
/// Canonical, so equal tokens compare equal.
using Token = std::vector<TokenEntry>;

/// The token with these entries: sorted, entries of one row added up, zeros dropped.
[[nodiscard]] Token make_token(std::vector<TokenEntry> entries);

/// The token that has a 1 in each of these rows.
[[nodiscard]] Token one_hot_token(const std::vector<Index>& rows);

/// The token as a column of d doubles. Throws InvalidInput when an entry lies outside it or beyond
/// 2^53.
[[nodiscard]] Vector to_column(const Token& token, Index d);

/// Tokens side by side, d×n. Throws as to_column.
[[nodiscard]] Matrix to_columns(const std::vector<Token>& tokens, Index d);

/// The value in a row, 0 where the token has no entry.
[[nodiscard]] std::int64_t value_at(const Token& token, Index row);

/// A sequence as an autoregressive model sees it: the prompt, then what is printed.
struct Trace {
    std::vector<Token> prompt;
    std::vector<Token> generated;

    friend bool operator==(const Trace&, const Trace&) = default;
};

}  // namespace attest
