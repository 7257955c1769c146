#pragma once

#include "core/base/error.hpp"
#include "core/base/shape.hpp"
#include "core/base/text.hpp"

namespace attest {

/// Operations of one call of BLAS or LAPACK between two looks at the stop token: a fraction of a
/// second.
inline constexpr double kOneCall = 4e9;

/// A size as LAPACK takes it (its default build has 32-bit integers).
[[nodiscard]] inline int lapack_size(Index n) {
    ensure(n >= 0 && n <= 2147483647, "a matrix is too large for LAPACK's integers");
    return static_cast<int>(n);
}

/// LAPACK's info: negative means that we called it wrongly, positive is the caller's to read.
inline int lapack_info_of(int info, const char* routine) {
    if (info < 0) {
        throw BrokenInvariant(formatted("{} rejects its argument {}", routine, -info));
    }
    return info;
}

}  // namespace attest
