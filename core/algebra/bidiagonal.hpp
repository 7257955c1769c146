#pragma once

#include "core/algebra/matrix.hpp"

#include <optional>

namespace attest {

/// Singular values, descending, of a square matrix of 512 rows or more, by bidiagonal form; the
/// stop token is looked at every 32 columns, where one call of dgesdd would keep a user waiting for
/// 8n³/3 operations. The same bits as that call. Nothing where the matrix is smaller or not square,
/// where dgesdd would scale it first, or where the iteration does not converge. Built with LAPACKE
/// only. Throws Interrupted.
[[nodiscard]] std::optional<Vector> singular_values_in_steps(const Matrix& A);

}  // namespace attest
