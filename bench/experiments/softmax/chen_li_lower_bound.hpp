#pragma once

// The exponential dependence on m cannot be avoided by statistical queries: C(d−1, n) layers of m =
// 2n heads compute parities on n coordinates of two tokens, and their S-dependent parts are
// pairwise orthogonal. The construction is ours, made to be executed; the paper's was not seen.
//
// Expected outcome: off-diagonal correlations 0 to rounding for β = 40, variance 1; the six phases
// stop at the first, since Σ W = 0.

#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// A family of parity layers over all 2^{2d} Boolean inputs, or rather over those with x_11 ≠ x_21,
/// the only ones with an output.
struct ParityFamily {
    Index size = 0;              ///< C(d−1, n) layers
    double largest_error = 0.0;  ///< max |F − limit| over members, inputs and entries
    double variance = 0.0;       ///< mean square of Y_11 − (x_11 − x_21)/2, which depends on S
    double largest_correlation = 0.0;  ///< max over pairs of members of |E part·part'|/variance
    double centred_correlation = 0.0;  ///< of the parts less the family's mean, farthest from 0
};

/// O(4^d C(d−1,n) (n d² + C(d−1,n))). Throws InvalidInput unless 1 ≤ n < d ≤ 8.
[[nodiscard]] ParityFamily parity_family(Index d, Index n, double beta);

/// Cases: (d, n) × β exhaustively, learner "family"; and the phases and Levenberg–Marquardt on one
/// member, learners "six_phases" and "levenberg_marquardt".
[[nodiscard]] Experiment make_chen_li_lower_bound(Profile profile, std::uint64_t seed);
[[nodiscard]] std::string chen_li_lower_bound_text(const std::vector<Row>& rows);
[[nodiscard]] std::vector<std::filesystem::path> derive_chen_li_lower_bound(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest
