#pragma once

#include "core/algebra/matrix.hpp"

#include <algorithm>

namespace attest {

/// The binary exponents e, 2^e ≤ |x| < 2^(e+1), between which the nonzero entries of something lie.
struct ExponentRange {
    static constexpr int kNone = 1 << 20;

    int low = kNone;
    int high = -kNone;

    void include(const ExponentRange& other) {
        low = std::min(low, other.low);
        high = std::max(high, other.high);
    }

    /// No entry, or zeros only.
    [[nodiscard]] bool empty() const { return low > high; }

    /// Whether every nonzero entry has an exponent from `least` to `most`.
    [[nodiscard]] bool within(int least, int most) const {
        return empty() || (low >= least && high <= most);
    }
};

/// The range of the nonzero, finite entries; denormal numbers have exponents down to −1074.
[[nodiscard]] ExponentRange exponent_range(const Eigen::Ref<const Matrix>& A);

}  // namespace attest
