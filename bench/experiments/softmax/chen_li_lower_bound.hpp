#pragma once

#include "core/base/shape.hpp"

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

}  // namespace attest
