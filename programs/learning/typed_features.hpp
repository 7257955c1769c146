#pragma once

#include "programs/language/ir.hpp"

#include <vector>

namespace attest {

/// One flag a feature, in Algorithm 2's order: whether a learner may use it.
using FeatureMask = std::vector<char>;

/// Features that heads with the types of this program's heads can read: S(b,k)·z(e) is kept if some
/// head takes values from b's block, keys from k's block (or the other way round) and its source
/// from e's block. Nothing else of the program is told.
[[nodiscard]] FeatureMask typed_features(const Program& program);

}  // namespace attest
