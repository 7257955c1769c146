#pragma once

#include "core/softmax/examples.hpp"

namespace attest {

/// The examples as the phases pass over them: Boolean sequences once for each class {X, −X} where
/// they repeat often enough to matter, otherwise the source itself, in memory up to 256 MB.
[[nodiscard]] SoftmaxSource prepared_source(const SoftmaxSource& source);

}  // namespace attest
