#pragma once
#include "proofs_check/checker/parse.hpp"

namespace attest::checker {
/// The evidence of `grouped`, behind the word (FORMAT.md §4).
void check_grouped(Reader& in, const Table& table);
}  // namespace attest::checker
