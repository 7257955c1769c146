#pragma once

#include "core/algebra/matrix.hpp"

namespace attest {

/// min ‖A X − B‖_F, of least ‖X‖_F where the driver can: what a library's driver returns.
struct DenseLeastSquares {
    Matrix X;            ///< n×o
    Index rank = -1;     ///< numerical rank, −1 where the driver assumes full rank
    double rcond = 0.0;  ///< 1/cond of A (estimate; of the part kept, where the rank is revealed)
    double backward_error = 0.0;  ///< of the factors, relative, seen by two trial vectors; where
                                  ///< the driver cannot be trusted with it
};

/// A is m×n and overwritten, B is m×o. `threshold`: what is below threshold times the largest
/// singular value (pivot) counts as zero.
using DenseDriver = DenseLeastSquares (*)(Matrix A, const Matrix& B, double threshold);

// The first three throw NotAvailable in a build without LAPACKE.

/// dgels: QR (or LQ) without pivoting; full rank only, X is 0×0 when a diagonal entry is 0.
[[nodiscard]] DenseLeastSquares lapack_gels(Matrix A, const Matrix& B, double threshold);
/// dgelsy: complete orthogonal factorisation from a pivoted QR.
[[nodiscard]] DenseLeastSquares lapack_gelsy(Matrix A, const Matrix& B, double threshold);
/// dgelsd: singular value decomposition by divide and conquer.
[[nodiscard]] DenseLeastSquares lapack_gelsd(Matrix A, const Matrix& B, double threshold);

/// Eigen's HouseholderQR, CompleteOrthogonalDecomposition and BDCSVD. The last one (3.4.0) now and
/// then multiplies back to a matrix 1e-7 away where singular values nearly coincide, hence
/// backward_error.
[[nodiscard]] DenseLeastSquares eigen_householder(Matrix A, const Matrix& B, double threshold);
[[nodiscard]] DenseLeastSquares eigen_cod(Matrix A, const Matrix& B, double threshold);
[[nodiscard]] DenseLeastSquares eigen_bdcsvd(Matrix A, const Matrix& B, double threshold);

}  // namespace attest
