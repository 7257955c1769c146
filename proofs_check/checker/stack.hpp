#pragma once
#include "proofs_check/checker/parse.hpp"

namespace attest::checker {
/// Whether a proof is about a stack of layers, and so about no data (FORMAT.md §8).
[[nodiscard]] bool is_about_stack(std::string_view proof);

/// The claim, if the proof proves it, else throws Failure.
[[nodiscard]] std::string verify_stack(std::string_view proof);
}  // namespace attest::checker
