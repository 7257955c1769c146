#pragma once

#include "core/algebra/matrix.hpp"

#include <utility>

namespace attest {

/// Singular values about the numerical rank, over the largest.
struct RankGap {
    double last = 0.0;  ///< the smallest that counts
    double next = 0.0;  ///< the largest that does not; 0 where all count
};

/// The numerical rank of J, its rows and then its columns scaled to norm 1, and the gap there: all
/// singular values count where the smallest is above 1e-11 of the largest, else those before the
/// widest ratio. A column of rounding noise (below 1e-11 of the largest norm) is set to 0 first,
/// for scaled to 1 it would look like a direction. Proves nothing.
[[nodiscard]] std::pair<Index, RankGap> numerical_rank(Matrix J);

}  // namespace attest
