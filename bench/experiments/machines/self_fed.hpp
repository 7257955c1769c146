#pragma once

#include "core/algebra/matrix.hpp"
#include "core/base/shape.hpp"
#include "programs/language/compile.hpp"
#include "programs/language/token.hpp"

#include <cstdint>

namespace attest {

/// What a minimiser is fed after each token: what it printed, or that rounded to integers.
enum class Feedback : std::uint8_t { as_printed, rounded };

struct SelfFed {
    Index right = 0;         ///< tokens that round to the simulator's, before the first that do not
    double deviation = 0.0;  ///< largest |entry − simulator's| among the right ones
};

/// Over the integers, where a token is the right one or is not. Starts after the trace's prompt.
[[nodiscard]] SelfFed feed_exactly(const SparseCoefficients& coefficients, const Trace& expected);

/// In double; P is ψ×d.
[[nodiscard]] SelfFed feed_doubles(const Matrix& P,
                                   const Trace& expected,
                                   Index d,
                                   Feedback feedback);

}  // namespace attest
