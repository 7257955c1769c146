#pragma once

// Trained at one length, asked at others: which labels a layer learned by least squares carries
// over to sequences of another number of tokens, with features that sum over the tokens or average
// them, and what the certificate of the training data says of that.
//
// Expected outcome: labels of a linear layer carry over exactly once λ_min(Λ_D) > 0, and noise
// causes the error that tr(Λ_n Λ_D⁻¹) predicts; at n = 1 there is no certificate and the error at
// other lengths is large. Labels outside the class (averages under summing features: relative error
// (n/n₀ − 1)²; a softmax head) are not covered, whatever the certificate.

#include "record/experiment.hpp"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// The lengths asked about; metrics error_n1, error_n2, … of a row belong to them.
inline constexpr std::array<Index, 7> kTestLengths{1, 2, 4, 8, 16, 32, 64};

/// Cases: labels × training lengths × repetition × features.
[[nodiscard]] Experiment make_length_generalisation(Profile profile, std::uint64_t seed);
[[nodiscard]] std::string length_generalisation_text(const std::vector<Row>& rows);
/// tables/length_generalisation{,_noise}.{csv,md}, figures/length_generalisation.svg.
[[nodiscard]] std::vector<std::filesystem::path> derive_length_generalisation(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest
