#pragma once

#include "core/data/dataset.hpp"
#include "programs/learning/learn_traces.hpp"

namespace attest {

/// Traces 0 … count−1 as a data set: every printed token is one example, the tokens before it its
/// sequence, the token its label. d rows a token, o = d.
[[nodiscard]] Dataset printed_tokens(const TraceSource& source, Index count, Index d);

}  // namespace attest
