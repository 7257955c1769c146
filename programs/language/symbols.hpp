#pragma once

#include "core/base/shape.hpp"

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

}  // namespace attest
