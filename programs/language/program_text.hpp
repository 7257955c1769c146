#pragma once

#include "programs/language/ir.hpp"
#include "programs/language/token.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// Reads the text form of a program:
///
///     program NAME
///     block K 4
///     head delta: D <- D, T <- T ; K <- K
///     head erase: T[0] <- -one ; one <- K[0..1]
///
/// V before the semicolon (destination <- value), Q after it (key <- source); K[2] is one row,
/// K[0..2] rows 0 to 2. Equal sizes map row by row; a single row on one side is paired with every
/// row of the other. A factor is written -one or 2*one. Throws InvalidInput naming the line.
[[nodiscard]] Program parse_program(std::string_view text);

/// Rows of a token with a factor in front.
struct ScaledRows {
    Block rows;
    std::int64_t coefficient = 1;
};

/// Reads "K", "K[2]", "K[0..2]", "-K[2]" or "3*K". Throws InvalidInput when it is none of these or
/// names no row of the schema.
[[nodiscard]] ScaledRows parse_scaled_rows(std::string_view text, const Schema& schema);

/// The program in that form; parse_program reads back the same program.
[[nodiscard]] std::string program_text(const Program& program);

/// A token for people: "K[2] R[1] -x".
[[nodiscard]] std::string token_text(const Token& token, const Schema& schema);

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
