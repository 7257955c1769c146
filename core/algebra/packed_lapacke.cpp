#include "core/algebra/lapacke_call.hpp"
#include "core/algebra/packed_backend.hpp"

#include <lapacke.h>

namespace attest {

bool factor_packed(Vector& A, Index n) {
    return lapack_info_of(LAPACKE_dpftrf(LAPACK_COL_MAJOR, 'N', 'L', lapack_size(n), A.data()),
                          "dpftrf") == 0;
}

bool factor_packed(VectorOf<float>& A, Index n) {
    return lapack_info_of(LAPACKE_spftrf(LAPACK_COL_MAJOR, 'N', 'L', lapack_size(n), A.data()),
                          "spftrf") == 0;
}

void solve_packed(const Vector& L, Matrix& B) {
    lapack_info_of(LAPACKE_dpftrs_work(LAPACK_COL_MAJOR,
                                       'N',
                                       'L',
                                       lapack_size(B.rows()),
                                       lapack_size(B.cols()),
                                       L.data(),
                                       B.data(),
                                       lapack_size(B.rows())),
                   "dpftrs");
}

void solve_packed(const VectorOf<float>& L, MatrixOf<float>& B) {
    lapack_info_of(LAPACKE_spftrs_work(LAPACK_COL_MAJOR,
                                       'N',
                                       'L',
                                       lapack_size(B.rows()),
                                       lapack_size(B.cols()),
                                       L.data(),
                                       B.data(),
                                       lapack_size(B.rows())),
                   "spftrs");
}

}  // namespace attest
