#include "core/data/exponent_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

ExponentRange exponent_range(const Eigen::Ref<const Matrix>& A) {
    double least = std::numeric_limits<double>::infinity();
    double most = 0.0;
    for (Index j = 0; j < A.cols(); ++j) {
        for (Index i = 0; i < A.rows(); ++i) {
            const double size = std::abs(A(i, j));
            if (size > 0.0 && std::isfinite(size)) {
                least = std::min(least, size);
                most = std::max(most, size);
            }
        }
    }
    return most > 0.0 ? ExponentRange{std::ilogb(least), std::ilogb(most)} : ExponentRange{};
}

}  // namespace attest
