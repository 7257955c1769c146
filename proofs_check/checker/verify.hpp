#pragma once
#include "proofs_check/checker/parse.hpp"

namespace attest::checker {
/// The claim, if the proof proves it of the data (FORMAT.md §4), else throws Failure.
[[nodiscard]] std::string verify(std::string_view proof, const Table& table);
}  // namespace attest::checker
