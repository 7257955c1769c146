#pragma once

#include "programs/language/ir.hpp"
#include "programs/language/token.hpp"

#include <string_view>
#include <vector>

namespace attest {

/// Reads the tokens of a prompt, one a line as token_text prints them:
///
///     one P[0]            # the first token
///     P[1] letter[2]
///
/// Empty lines and what follows `#` are skipped. Throws InvalidInput naming the line.
[[nodiscard]] std::vector<Token> parse_prompt(std::string_view text, const Schema& schema);

/// Throws InvalidInput, naming tokens from 1, on a prompt that Algorithm 3 has no meaning for:
///
/// - no token at all;
/// - a token that holds two values of one attribute, or one other than once;
/// - where the schema has a block `one`: a first token without it, or another token with it;
/// - two tokens that give a value to one key of a lookup: the values would be added up.
void check_prompt(const Program& program, const std::vector<Token>& prompt);

}  // namespace attest
