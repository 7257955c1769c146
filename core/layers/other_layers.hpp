#pragma once

#include <string>
#include <string_view>

namespace attest {

/// How to ask about a layer that neither a word of the family nor an import stands for, by a name
/// that people use, in any case, with - or _ : "gated-delta", "Mamba2", "softmax". One clause that
/// begins with what the layer is; empty for a name that is not known.
[[nodiscard]] std::string way_to_ask(std::string_view name);

}  // namespace attest
