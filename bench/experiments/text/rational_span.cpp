#include "bench/experiments/text/rational_span.hpp"

#include "core/base/error.hpp"
#include "core/exact/matrix_rows.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

MatrixOf<Integer> scaled_integers(const Matrix& rows) {
    MatrixOf<Integer> A(rows.rows(), rows.cols());
    for (Index k = 0; k < rows.size(); ++k) {
        const double scaled = std::ldexp(rows.data()[k], 30);
        require(std::abs(scaled) < 0x1p60 && std::abs(std::nearbyint(scaled) - scaled) <= 0.0,
                "column_span: got {}, expected a multiple of 2^-30 below 2^30",
                rows.data()[k]);
        A.data()[k] = Integer(static_cast<std::int64_t>(scaled));
    }
    return A;
}

}  // namespace

ColumnSpan column_span(const Matrix& rows, const LiftOptions& effort) {
    if (rows.size() == 0) {
        return {};
    }
    const MatrixRows integers(scaled_integers(rows));
    const RankProfile profile = rank_profile(Modulus(), integers);
    ColumnSpan found{{profile.rank(), std::min(rows.rows(), rows.cols())}, profile.pivot_columns};
    std::sort(found.pivots.begin(), found.pivots.end());
    if (!found.rank.is_exact()) {
        std::vector<Index> free;
        for (Index j = 0; j < rows.cols(); ++j) {
            if (!std::binary_search(found.pivots.begin(), found.pivots.end(), j)) {
                free.push_back(j);
            }
        }
        const IntegerNullSpace null_space = lift_null_space(integers, profile, free, effort);
        found.rank.upper = std::min(found.rank.upper, rows.cols() - std::ssize(null_space.vectors));
    }
    return found;
}

}  // namespace attest
