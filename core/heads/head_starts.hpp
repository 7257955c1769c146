#pragma once

#include "core/heads/fit_target.hpp"
#include "core/rng/stream.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace attest {

/// Where a fit with H heads starts.
enum class StartKind : std::uint8_t {
    closed_form,  ///< closed_form_heads; where its system has equations and at most 4000 unknowns
    reflections,  ///< averaged_reflections from a random gauge
    svd,          ///< the strongest right singular vectors of Sym W
    alternating,  ///< 50 alternating projections from a random gauge
    random,       ///< grid normals
};

[[nodiscard]] std::string_view to_string(StartKind kind);

/// The first starts for H heads in order: the closed form where it applies, reflections, the SVD.
[[nodiscard]] std::vector<StartKind> first_starts(const FitTarget& target, Index num_heads);

/// Kind of start number `index`: first_starts, then without end two reflections and a random one.
[[nodiscard]] StartKind start_kind(const FitTarget& target, Index num_heads, Index index);

/// Q (H×d²) of one start; a pure function of its arguments. The closed form answers with the SVD
/// start when M(x) is degenerate.
[[nodiscard]] Matrix start_queries(const FitTarget& target,
                                   Index num_heads,
                                   StartKind kind,
                                   const Stream& stream);

}  // namespace attest
