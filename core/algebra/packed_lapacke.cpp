#include "core/algebra/lapacke_call.hpp"
#include "core/algebra/packed_backend.hpp"

#include <lapacke.h>

namespace attest {

namespace {

/// B becomes (L Lᵀ)⁻¹ B by LAPACK's ?pftrs.
template <class Scalar, class Routine>
void solve_by(Routine routine, const char* name, const VectorOf<Scalar>& L, MatrixOf<Scalar>& B) {
    const lapack_int n = lapack_size(B.rows());
    const lapack_int columns = lapack_size(B.cols());
    lapack_info_of(routine(LAPACK_COL_MAJOR, 'N', 'L', n, columns, L.data(), B.data(), n), name);
}

}  // namespace

bool factor_packed(Vector& A, Index n) {
    return lapack_info_of(LAPACKE_dpftrf(LAPACK_COL_MAJOR, 'N', 'L', lapack_size(n), A.data()),
                          "dpftrf") == 0;
}

bool factor_packed(VectorOf<float>& A, Index n) {
    return lapack_info_of(LAPACKE_spftrf(LAPACK_COL_MAJOR, 'N', 'L', lapack_size(n), A.data()),
                          "spftrf") == 0;
}

void solve_packed(const Vector& L, Matrix& B) {
    solve_by(LAPACKE_dpftrs_work, "dpftrs", L, B);
}

void solve_packed(const VectorOf<float>& L, MatrixOf<float>& B) {
    solve_by(LAPACKE_spftrs_work, "spftrs", L, B);
}

}  // namespace attest
