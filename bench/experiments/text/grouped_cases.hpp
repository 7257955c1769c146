#pragma once

#include "record/experiment.hpp"
#include "record/table.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace attest {

/// The learner that rows of the cases below name.
inline constexpr const char* kGroupedCertificate = "grouped_certificate";

/// Cases that decide the rank of windows grouped by the word that asks (core/certify/grouped_rank),
/// where ψ² doubles would not fit.
[[nodiscard]] std::vector<Case> grouped_cases(Profile profile,
                                              std::uint64_t seed,
                                              const std::string& path);

/// What they found.
[[nodiscard]] Table grouped_certificates_table(const std::vector<Row>& rows);

}  // namespace attest
