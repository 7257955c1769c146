#pragma once

#include "cli/report.hpp"
#include "core/data/dataset.hpp"

#include <optional>
#include <string>

namespace attest::cli {

/// The answer of one level: the exit code, and a proof file's text where there is evidence for a
/// third party.
struct CertifyOutcome {
    int code = 0;
    std::optional<std::string> proof;
};

/// Sizes of the data set, which every level reports first.
void describe_data(Report& report, const Dataset& data);

/// --level numerical: singular values; never exits 1.
[[nodiscard]] CertifyOutcome certify_numerically(Report& report, const Dataset& data);

/// --level rigorous: an enclosure of λ_min.
[[nodiscard]] CertifyOutcome certify_rigorously(Report& report, const Dataset& data);

/// --level exact and auto: the rank over Q; with queries the answer is about them. Writes a witness
/// if a file is named.
[[nodiscard]] CertifyOutcome certify_exactly(Report& report,
                                             const Dataset& data,
                                             const Dataset* queries,
                                             const std::string& witness);

}  // namespace attest::cli
