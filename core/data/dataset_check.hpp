#pragma once

#include "core/data/dataset.hpp"

namespace attest {

/// The two halves of check(), for tokens that do not lie in a data set. All of `data` but its
/// tokens, which are num_tokens of d entries.
void check_but_tokens(const Dataset& data, Index d, Index num_tokens);

/// The tokens of consecutive sequences, the first of which is number `before`.
void check_tokens(const Dataset& part, Index before);

}  // namespace attest
