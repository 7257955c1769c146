#pragma once

#include "proofs_check/claims/coverage.hpp"

namespace attest {

// The items of yau2024_items(), in the paper's order: a table of one line each.
[[nodiscard]] std::span<const CoveredItem> main_text_items();
[[nodiscard]] std::span<const CoveredItem> appendix_items();

}  // namespace attest
