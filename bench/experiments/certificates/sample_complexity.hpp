#pragma once

// Theorem 2.2 of arXiv 2410.10101: the excess risk of least squares over the best layer, against
// the number of sequences N and the token dimension d, for a planted layer with label noise, for a
// softmax head and for a random cubic function that no layer computes.
//
// Expected outcome: N·excess tends to a constant, E[‖r‖² HᵀΛ⁻¹H] with the residual r of the best
// layer: σ²·d·ψ ≈ σ²d⁴/2 for noise, a few times its counterpart for the other two. Near N = ψ the
// excess is far above that.

#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Cases: labels × d × repetition × N.
[[nodiscard]] Experiment make_sample_complexity(Profile profile, std::uint64_t seed);
[[nodiscard]] std::string sample_complexity_text(const std::vector<Row>& rows);
/// tables/sample_complexity{,_slopes}.{csv,md}, figures/sample_complexity.svg.
[[nodiscard]] std::vector<std::filesystem::path> derive_sample_complexity(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest
