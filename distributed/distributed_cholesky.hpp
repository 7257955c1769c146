#pragma once

#include "distributed/block_moments.hpp"

namespace attest {

/// A = L Lᵀ over all ranks by ScaLAPACK's p?potrf, or the news that A is not numerically positive
/// definite: PackedCholeskyOf for more than one machine. Every function is collective.
template <class Scalar>
class DistributedCholeskyOf {
public:
    /// Factors the shares in place. n³/3 flops. Grid and ranks must outlive it.
    DistributedCholeskyOf(const Communicator& ranks,
                          const ProcessGrid& grid,
                          MatrixShareOf<Scalar> A);

    [[nodiscard]] Index n() const { return share_.n; }

    [[nodiscard]] bool positive() const { return positive_; }

    [[nodiscard]] double trace() const { return trace_; }

    /// ‖A‖₁.
    [[nodiscard]] double norm1() const { return norm1_; }

    /// Estimate of 1/cond₁(A), 0 when not positive.
    [[nodiscard]] double rcond() const { return rcond_; }

    /// A⁻¹ B for B on every rank, n×k; the same bits on every rank. 2n²k flops.
    [[nodiscard]] MatrixOf<Scalar> solve(const MatrixOf<Scalar>& B) const;

private:
    const Communicator& ranks_;
    const ProcessGrid& grid_;
    MatrixShareOf<Scalar> share_;
    bool positive_ = false;
    double trace_ = 0.0;
    double norm1_ = 0.0;
    double rcond_ = 0.0;
};

extern template class DistributedCholeskyOf<double>;
extern template class DistributedCholeskyOf<float>;

/// The diagonal of a shared matrix, on every rank; collective.
template <class Scalar>
[[nodiscard]] VectorOf<Scalar> shared_diagonal(const Communicator& ranks,
                                               const ProcessGrid& grid,
                                               const MatrixShareOf<Scalar>& A);

/// Adds entry i to the i-th of the diagonal, where the rank has it.
template <class Scalar>
void add_to_shared_diagonal(const ProcessGrid& grid,
                            MatrixShareOf<Scalar>& A,
                            const Vector& entries);

extern template void add_to_shared_diagonal(const ProcessGrid&,
                                            MatrixShareOf<double>&,
                                            const Vector&);
extern template void add_to_shared_diagonal(const ProcessGrid&,
                                            MatrixShareOf<float>&,
                                            const Vector&);

}  // namespace attest
