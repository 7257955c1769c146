#pragma once

#include "core/explain/explanation.hpp"

#include <vector>

namespace attest {

/// For every example of `inputs` the classes of the explanation, ascending, of which a relation
/// does not hold there: why the data that it explains leave the output open. Proved over Z.
/// `inputs` are read by the layer of the data.
[[nodiscard]] std::vector<std::vector<Index>> broken_relations(const Explanation& explanation,
                                                               const Dataset& inputs);

}  // namespace attest
