#pragma once

#include "cli/report.hpp"
#include "core/data/dataset.hpp"

#include <cstdint>
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

/// Whether λ_min is reported beside the proof.
enum class Margin : std::uint8_t { none, where_cheap };

/// What is presumed of the labels: nothing, or that some model fits them exactly, which then has to
/// stand up to an exact test.
enum class Presume : std::uint8_t { nothing, realisable };

struct ExactRequest {
    const Dataset* queries = nullptr;  ///< with queries the answer is about them
    std::string witness;               ///< a file to write a witness to, or ""
    Margin margin = Margin::none;
    Presume presume = Presume::nothing;
};

/// --level exact and auto: the rank over Q.
[[nodiscard]] CertifyOutcome certify_exactly(Report& report,
                                             const Dataset& data,
                                             const ExactRequest& request);

}  // namespace attest::cli
