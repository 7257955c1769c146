#pragma once

#include "cli/report.hpp"
#include "core/certify/exact_rank.hpp"
#include "core/certify/minimum_eigenvalue.hpp"

namespace attest::cli {

/// λ_min seen in floating point as the JSON object that every level shares; the enclosure is null.
[[nodiscard]] nlohmann::ordered_json lambda_min_json(double value);

/// λ_max and the condition of H on its numerical row space.
void report_condition(Report& report, const NumericalSpectrum& spectrum);

/// How far from deficient, beside a proof: λ_min in floating point, and its enclosure, each where
/// it costs no more than a second or two.
void report_margin(Report& report, const Dataset& data, const ExactRank& rank);

}  // namespace attest::cli
