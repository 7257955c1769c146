#pragma once

#include "cli/report.hpp"
#include "cli/scaled_number.hpp"
#include "core/certify/enclosure.hpp"
#include "core/certify/exact_rank.hpp"
#include "core/certify/minimum_eigenvalue.hpp"

namespace attest::cli {

/// λ_min seen in floating point as the JSON object that every level shares; the enclosure is null.
[[nodiscard]] nlohmann::ordered_json lambda_min_json(const ScaledNumber& value);

/// The end of an enclosure as a number that may lie outside the range of doubles.
[[nodiscard]] ScaledNumber scaled_number(const BigDyadic& value);

/// "in [lo, hi] (proved; shown rounded)".
[[nodiscard]] std::string enclosure_text(const LambdaMinEnclosure& enclosure);

/// λ_max and the condition of H on its numerical row space.
void report_condition(Report& report, const ScaledSpectrum& scaled);

/// How far from deficient, beside a proof: λ_min in floating point, and its enclosure, each where
/// it costs no more than a second or two.
void report_margin(Report& report, const Dataset& data, const ExactRank& rank);

}  // namespace attest::cli
