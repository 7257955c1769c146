#pragma once

#include "cli/report.hpp"
#include "core/certify/exact_rank.hpp"
#include "core/data/dataset.hpp"

#include <string>

namespace attest::cli {

// What `attest certify` says beyond the verdict, one function an option.

/// --witness OUT.npz: two minimisers that disagree, as OUT-a.npz and OUT-b.npz, and the input,
/// OUT-input.npz.
void report_witness(Report& report,
                    const std::string& output,
                    const Dataset& data,
                    const ExactRank& rank,
                    const Dataset* queries);

/// --realisable: whether some P fits every label exactly, as presumed. False when the labels, or
/// the effort of deciding, deny it.
[[nodiscard]] bool report_realisable(Report& report, const Dataset& data, const ExactRank& rank);

/// --model: how far any equally good model may differ from this one, on each query.
void report_model(Report& report,
                  const std::string& path,
                  const Dataset& data,
                  const Dataset* queries);

/// --ood, --noise: expected excess risk of least squares on other data under label noise.
void report_ood(Report& report, const std::string& path, double noise, const Dataset& data);

/// --queries with --noise: how far the minimiser may be from the truth on each query.
void report_noise(Report& report, double noise, const Dataset& data, const Dataset& queries);

/// --suggest, --pool: which examples to add.
void report_suggestions(Report& report, Index count, const std::string& pool, const Dataset& data);

}  // namespace attest::cli
