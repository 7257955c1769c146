#include "programs/language/token.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>

namespace attest {

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
