#pragma once

#include "core/stack/stack_shape.hpp"

#include <string_view>

namespace attest {

/// Sizes of a stack whose layers are alike; what is 0 follows from the others.
struct UniformStack {
    Index d = 0;
    Index layers = 1;
    StackLayer layer;      ///< every layer; its groups, sizes and width are those below
    Index groups = 0;      ///< 0: as many as heads
    Index key_size = 0;    ///< 0: d/heads, at least 1
    Index value_size = 0;  ///< 0: as a key
    Index width = 0;       ///< 0: 4d, where there is an MLP
    StackNorm final_norm = StackNorm::none;  ///< with the layers' epsilon
    Readout readout = Readout::all;
};

/// The architecture. Throws InvalidInput unless its sizes fit each other.
[[nodiscard]] StackShape shape_of(const UniformStack& sizes);

/// The layer with biases by their letters, "qkvo" and "m" for the MLP's, in any order. Throws
/// UnknownName, `what` first, for another letter.
[[nodiscard]] StackLayer with_biases(StackLayer layer,
                                     std::string_view letters,
                                     std::string_view what);

}  // namespace attest
