#pragma once

// Lemma A.5 of arXiv 2410.10101: independent entries with m4 > m2² give λ_min(Λ) > 0. The smallest
// eigenvalue of samples beside the population's, for six laws of the entries.
//
// Expected outcome: for n = 1 and for signs 0 at every N, proved over the rationals; otherwise
// λ_min(Λ_D) is positive from N = ψ on, too small at first, and within O(N^(−1/2)) of the
// population's, which is (n−1)m2³ where d ≥ 3, the mean is 0 and m4 − m2² ≥ m2².

#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Cases: law × n × repetition × N.
[[nodiscard]] Experiment make_iid_certificate(Profile profile, std::uint64_t seed);
[[nodiscard]] std::string iid_certificate_text(const std::vector<Row>& rows);
/// tables/iid_certificate{,_population}.{csv,md}, figures/iid_certificate.svg.
[[nodiscard]] std::vector<std::filesystem::path> derive_iid_certificate(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest
