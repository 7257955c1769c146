#pragma once

#include "core/certify/probe_design.hpp"
#include "core/questions/output.hpp"

#include <optional>

namespace attest {

/// Entries of a token, and of x: as many features as anybody asks for are long beyond.
inline constexpr Index kLargestProbed = 64;

/// Which inputs to ask a black box with such a layer.
struct ProbeRequest {
    Layer layer;
    Index d = 0;
    Index width = 0;              ///< entries of x, for the layer cross; 0: d
    std::optional<double> noise;  ///< standard deviation of noise in the answers
};

/// What `probe` is estimated to take at most, in seconds of the machine of AuditSize: nearly all of
/// it for the rank and the elementary divisors, whose numbers grow where the layer has more than 0
/// and 1.
[[nodiscard]] double probe_seconds(const ProbeRequest& request);

/// What noise in the answers does to the coefficients: E|P − truth|² for each output, numerical.
struct ProbeNoise {
    double before = 0.0;  ///< of the default queries
    double after = 0.0;   ///< of those that were chosen
    Index exchanged = 0;  ///< queries that are not the default's
};

/// Queries whose answers determine the layer in the box.
struct Probe {
    ProbeDesign design;  ///< its queries are the ones to ask
    Index d = 0;
    std::optional<ProbeNoise> noise;
};

/// The default queries, or under noise some that suffer less from it. Throws InvalidInput for sizes
/// beyond kLargestProbed, UnknownName for a width of another layer than cross, and what
/// probe_design and quieter_queries throw.
[[nodiscard]] Probe probe(const ProbeRequest& request);

/// How many queries, of which rank, and what integers or noise make of the answers.
[[nodiscard]] Output describe(const Probe& found);

}  // namespace attest
