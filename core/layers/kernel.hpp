#pragma once

#include "core/exact/scalars.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace attest {

enum class KernelKind : std::uint8_t {
    decay,   ///< rate^δ
    window,  ///< 1 for δ < width, else 0
    lag,     ///< 1 for δ = width, else 0
    beyond,  ///< 1 for δ ≥ width, else 0
    table,   ///< values[δ], 0 beyond the table
};

/// How much a token counts δ tokens later: κ(δ), δ = 0 for the last token of a sequence or prefix.
struct Kernel {
    KernelKind kind = KernelKind::decay;
    Rational rate = 1;
    Index width = 0;
    std::vector<Rational> values = {};

    friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// κ(δ), δ ≥ 0.
[[nodiscard]] Rational value_at(const Kernel& kernel, Index delta);

/// Least common multiple of the denominators of κ's parameters.
[[nodiscard]] Integer denominator_of(const Kernel& kernel);

/// The largest |κ(δ)|; every κ(δ) is at most 1 for decays, windows and lags.
[[nodiscard]] Rational largest_value(const Kernel& kernel);

/// "γ = 31/32", "last 4 tokens", for people.
[[nodiscard]] std::string describe(const Kernel& kernel);

}  // namespace attest
