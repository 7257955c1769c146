#include "programs/language/token.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <sstream>

namespace attest {

namespace {

bool single_letters(const std::vector<std::string>& symbols) {
    return std::all_of(
        symbols.begin(), symbols.end(), [](const std::string& s) { return s.size() == 1; });
}

}  // namespace

std::vector<WordLine> split_lines(std::string_view text) {
    std::vector<WordLine> lines;
    std::istringstream in{std::string(text)};
    std::string line;
    for (Index number = 1; std::getline(in, line); ++number) {
        WordLine found{number, {}};
        std::istringstream words(line);
        for (std::string word; words >> word && word.front() != '#';) {
            found.words.push_back(word);
        }
        if (!found.words.empty()) {
            lines.push_back(std::move(found));
        }
    }
    return lines;
}

void refuse_line(std::string_view what, const WordLine& line, std::string_view text) {
    throw InvalidInput(formatted("{}: line {}: {}", what, line.number, text));
}

Index find_name(const std::vector<std::string>& names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? -1 : found - names.begin();
}

Index find_or_add(std::vector<std::string>& names, const std::string& name) {
    const Index at = find_name(names, name);
    if (at >= 0) {
        return at;
    }
    names.push_back(name);
    return static_cast<Index>(names.size()) - 1;
}

std::vector<Index> parse_word(std::string_view what,
                              std::string_view word,
                              const std::vector<std::string>& symbols) {
    std::vector<std::string> parts;
    if (single_letters(symbols)) {
        for (const char letter : word) {
            parts.emplace_back(1, letter);
        }
    } else {
        std::istringstream in{std::string(word)};
        for (std::string part; std::getline(in, part, ',');) {
            parts.push_back(part);
        }
    }
    std::vector<Index> found;
    for (const std::string& part : parts) {
        const Index at = find_name(symbols, part);
        if (at < 0) {
            std::string known;
            for (const std::string& symbol : symbols) {
                known += (known.empty() ? "" : " ") + symbol;
            }
            throw InvalidInput(formatted(
                "{}: got symbol {}, expected one of {}", what, in_quotes(part), in_quotes(known)));
        }
        found.push_back(at);
    }
    return found;
}

std::string format_word(const std::vector<Index>& word, const std::vector<std::string>& symbols) {
    const char* const separator = single_letters(symbols) ? "" : ",";
    std::string text;
    for (const Index symbol : word) {
        text += (text.empty() ? "" : separator) + symbols.at(static_cast<std::size_t>(symbol));
    }
    return text;
}

Token make_token(std::vector<TokenEntry> entries) {
    std::sort(entries.begin(), entries.end(), [](const TokenEntry& a, const TokenEntry& b) {
        return a.row < b.row;
    });
    Token token;
    for (const TokenEntry& entry : entries) {
        if (!token.empty() && token.back().row == entry.row) {
            token.back().value += entry.value;
        } else {
            token.push_back(entry);
        }
    }
    std::erase_if(token, [](const TokenEntry& entry) { return entry.value == 0; });
    return token;
}

Token one_hot_token(const std::vector<Index>& rows) {
    std::vector<TokenEntry> entries;
    entries.reserve(rows.size());
    for (const Index row : rows) {
        entries.push_back({row, 1});
    }
    return make_token(std::move(entries));
}

Vector to_column(const Token& token, Index d) {
    constexpr std::int64_t kExact = std::int64_t{1} << 53;
    Vector z = Vector::Zero(d);
    for (const TokenEntry& entry : token) {
        require(entry.row >= 0 && entry.row < d,
                "to_column: got an entry in row {}, expected d = {}",
                entry.row,
                d);
        require(-kExact <= entry.value && entry.value <= kExact,
                "to_column: got the entry {}, expected at most 2^53",
                entry.value);
        z(entry.row) = static_cast<double>(entry.value);
    }
    return z;
}

Matrix to_columns(const std::vector<Token>& tokens, Index d) {
    Matrix Z(d, static_cast<Index>(tokens.size()));
    for (Index t = 0; t < Z.cols(); ++t) {
        Z.col(t) = to_column(tokens[static_cast<std::size_t>(t)], d);
    }
    return Z;
}

std::int64_t value_at(const Token& token, Index row) {
    for (const TokenEntry& entry : token) {
        if (entry.row == row) {
            return entry.value;
        }
    }
    return 0;
}

}  // namespace attest
