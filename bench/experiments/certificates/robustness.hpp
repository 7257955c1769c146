#pragma once

// How far a layer learned from data that hardly identify it errs on other inputs: four ways of
// losing the certificate by degrees, Gaussian inputs as the other distribution.
//
// Expected outcome: the error on fresh data of the same distribution shows nothing; out of
// distribution it grows with tr(Λ_ood Λ_D⁻¹) by many orders of magnitude, as predicted by
// σ²·o·tr(Λ_ood Λ_D⁻¹)/N. A ridge caps it at about the error of the zero function.

#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Cases: violation × degree × repetition × learner (minimum_norm, ridge, ridge_validated).
[[nodiscard]] Experiment make_robustness(Profile profile, std::uint64_t seed);
[[nodiscard]] std::string robustness_text(const std::vector<Row>& rows);
/// tables/robustness{,_prediction}.{csv,md}, figures/robustness.svg.
[[nodiscard]] std::vector<std::filesystem::path> derive_robustness(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest
