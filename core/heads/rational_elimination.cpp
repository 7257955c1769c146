#include "core/heads/rational_elimination.hpp"

#include "core/base/error.hpp"

namespace attest {

namespace {

/// Row of a non-zero entry of column j at or below row `from`, or −1.
Index pivot_row(const MatrixOf<Rational>& A, Index from, Index j) {
    for (Index i = from; i < A.rows(); ++i) {
        if (!A(i, j).is_zero()) {
            return i;
        }
    }
    return -1;
}

/// Brings a non-zero entry to (k,k) by a congruence; false when the trailing block is zero.
bool bring_pivot(MatrixOf<Rational>& S, Index k) {
    for (Index i = k; i < S.rows(); ++i) {
        if (!S(i, i).is_zero()) {
            S.row(i).swap(S.row(k));
            S.col(i).swap(S.col(k));
            return true;
        }
    }
    for (Index i = k; i < S.rows(); ++i) {
        const Index j = pivot_row(S, k, i);
        if (j >= 0) {
            // Both diagonal entries vanish: adding row and column j to i puts 2 S_ij at (i,i).
            S.row(i) += S.row(j).eval();
            S.col(i) += S.col(j).eval();
            return bring_pivot(S, k);
        }
    }
    return false;
}

}  // namespace

Index rational_rank(MatrixOf<Rational> A) {
    Index rank = 0;
    for (Index j = 0; j < A.cols() && rank < A.rows(); ++j) {
        const Index pivot = pivot_row(A, rank, j);
        if (pivot < 0) {
            continue;
        }
        A.row(pivot).swap(A.row(rank));
        for (Index i = rank + 1; i < A.rows(); ++i) {
            const Rational factor = A(i, j) / A(rank, j);
            for (Index c = j; c < A.cols(); ++c) {
                A(i, c) -= factor * A(rank, c);
            }
        }
        ++rank;
    }
    return rank;
}

Inertia rational_inertia(MatrixOf<Rational> S) {
    require(S.rows() == S.cols(), "rational_inertia: the matrix is not square");
    Inertia inertia;
    for (Index k = 0; k < S.rows() && bring_pivot(S, k); ++k) {
        ++(S(k, k).sign() > 0 ? inertia.positive : inertia.negative);
        for (Index i = k + 1; i < S.rows(); ++i) {
            const Rational factor = S(i, k) / S(k, k);
            for (Index j = k + 1; j < S.cols(); ++j) {
                S(i, j) -= factor * S(k, j);
            }
        }
        S.col(k).tail(S.rows() - k - 1).setZero();
        S.row(k).tail(S.rows() - k - 1).setZero();
    }
    return inertia;
}

}  // namespace attest
