#include "core/stack/numerical_rank.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/bitwise.hpp"

#include <algorithm>

namespace attest {

namespace {

/// Columns that rounding alone fills are zero: one scaled to 1 would count as a direction.
constexpr double kNoiseColumn = 1e-11;
constexpr double kNoiseValue = 1e-11;

}  // namespace

std::pair<Index, RankGap> numerical_rank(Matrix J) {
    // Examples whose outputs are large hide the others.
    for (Index i = 0; i < J.rows(); ++i) {
        const double norm = J.row(i).norm();
        J.row(i) /= norm > 0.0 ? norm : 1.0;
    }
    const Vector norms = J.colwise().norm();
    const double largest = norms.size() > 0 ? norms.maxCoeff() : 0.0;
    for (Index k = 0; k < J.cols(); ++k) {
        if (norms(k) > kNoiseColumn * largest) {
            J.col(k) /= norms(k);
        } else {
            J.col(k).setZero();
        }
    }
    const Vector sigma = singular_values(J);
    if (sigma.size() == 0 || is_zero(sigma(0))) {
        return {0, {}};
    }
    Index rank = sigma.size();
    RankGap gap{sigma(rank - 1) / sigma(0), 0.0};
    double best = 1.0;
    for (Index k = 1; gap.last < kNoiseValue && k < sigma.size(); ++k) {
        const double ratio = sigma(k - 1) / std::max(sigma(k), sigma(0) * 1e-18);
        if (ratio > best) {
            best = ratio;
            rank = k;
        }
    }
    if (rank < sigma.size()) {
        gap = {sigma(rank - 1) / sigma(0), sigma(rank) / sigma(0)};
    }
    return {rank, gap};
}

}  // namespace attest
