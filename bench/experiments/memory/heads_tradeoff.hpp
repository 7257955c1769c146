#pragma once

// What fewer heads cost: the loss of the best layer with H heads against coefficients that were
// learned from noisy data, by four methods. svd: Algorithm 1's heads, the strongest H. refit: the
// same queries with the values solved for again. vp_frobenius: variable projection in ‖Sym W‖.
// vp_lambda: variable projection in the norm of the training data.
//
// Expected outcome: vp_lambda ≤ refit ≤ svd at every H. At the number of planted heads the fit in
// the data norm loses about the noise that least squares had learned, while the SVD needs all d²
// heads for that.

#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Cases: family × size × repetition × H × method.
[[nodiscard]] Experiment make_heads_tradeoff(Profile profile, std::uint64_t seed);

/// One line per number of heads, one column per method, a table per family; medians over
/// repetitions.
[[nodiscard]] std::string heads_tradeoff_text(const std::vector<Row>& rows);

/// tables/heads_tradeoff_FAMILY_dD.{csv,md}, figures/heads_tradeoff.svg.
[[nodiscard]] std::vector<std::filesystem::path> derive_heads_tradeoff(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest
