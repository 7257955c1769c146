#pragma once

#include <cstddef>

namespace attest {

/// Every size and subscript: signed, as Eigen's.
using Index = std::ptrdiff_t;

/// q(d) = d(d+1)/2, the number of entries of a packed symmetric d×d matrix.
[[nodiscard]] constexpr Index packed_dim(Index d) {
    return d * (d + 1) / 2;
}

/// ψ(d) = d·d(d+1)/2, the number of cubic features of Algorithm 2.
[[nodiscard]] constexpr Index feature_dim(Index d) {
    return d * packed_dim(d);
}

}  // namespace attest
