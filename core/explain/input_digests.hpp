#pragma once

#include "core/data/dataset.hpp"

#include <string>
#include <vector>

namespace attest {

/// One digest a sequence, of all that a layer may read of it: equal for equal inputs, whatever
/// their labels. O(T d).
[[nodiscard]] std::vector<std::string> input_digests(const Dataset& data);

}  // namespace attest
