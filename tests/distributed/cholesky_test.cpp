#include "core/algebra/packed_cholesky.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/rng/sample.hpp"
#include "distributed/distributed_cholesky.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

/// The rank's share of A in tiles of this edge.
template <class Scalar>
MatrixShareOf<Scalar> share_of(const ProcessGrid& grid, const Matrix& A, Index edge) {
    const CyclicIndex down{edge, grid.rows()};
    const CyclicIndex across{edge, grid.cols()};
    MatrixShareOf<Scalar> share{A.rows(), edge, {}};
    share.entries = MatrixOf<Scalar>::Zero(down.count(A.rows(), grid.row()),
                                           across.count(A.rows(), grid.col()));
    for (Index j = 0; j < A.cols(); ++j) {
        for (Index i = 0; i < A.rows(); ++i) {
            if (down.owner(i) == grid.row() && across.owner(j) == grid.col()) {
                share.entries(down.local(i), across.local(j)) = static_cast<Scalar>(A(i, j));
            }
        }
    }
    return share;
}

Matrix positive_matrix(Index n) {
    const Matrix H = grid_matrix(grid_normal(), n, 2 * n + 3, Stream(5).child("cholesky"));
    return H * H.transpose();
}

TEST(DistributedCholesky, SolvesByHand) {
    const Communicator ranks;
    const ProcessGrid grid(ranks);
    Matrix A(2, 2);
    A << 4.0, 2.0, 2.0, 5.0;
    const DistributedCholeskyOf<double> factor(ranks, grid, share_of<double>(grid, A, 1));
    ASSERT_TRUE(factor.positive());
    EXPECT_EQ(factor.trace(), 9.0);
    EXPECT_EQ(factor.norm1(), 7.0);
    Matrix B(2, 1);
    B << 8.0, 12.0;  // L = [2 0; 1 2]
    Matrix X(2, 1);
    X << 1.0, 2.0;
    EXPECT_EQ(factor.solve(B), X);
}

TEST(DistributedCholesky, AgreesWithTheFactorOfOneProcess) {
    const Communicator ranks;
    const ProcessGrid grid(ranks);
    for (const auto& [n, edge] : {std::pair<Index, Index>{1, 4}, {30, 4}, {75, 8}, {64, 128}}) {
        const Matrix A = positive_matrix(n);
        const Matrix known = grid_matrix(grid_normal(), n, 5, Stream(6).child("known"));
        Vector packed(packed_dim(n));
        for (Index j = 0; j < n; ++j) {
            for (Index i = j; i < n; ++i) {
                packed(rectangular_packed_index(n, i, j)) = A(i, j);
            }
        }
        const PackedCholeskyOf<double> serial = packed_cholesky<double>(packed, n);
        const DistributedCholeskyOf<double> factor(ranks, grid, share_of<double>(grid, A, edge));
        ASSERT_TRUE(factor.positive());
        EXPECT_NEAR(factor.norm1() / serial.norm1, 1.0, gamma_bound(2 * n));
        // The same estimate, from solves that are off by cond·u.
        EXPECT_NEAR(
            factor.rcond() / serial.rcond, 1.0, kRatioBound * gamma_bound(n) / serial.rcond);
        const Matrix B = A * known;
        const Matrix X = factor.solve(B);
        // Residual of a backward stable solve.
        const double size = A.norm() * X.norm() * gamma_bound(n);
        EXPECT_LT((A * X - B).norm(), kRatioBound * size);
        const DistributedCholeskyOf<float> single(ranks, grid, share_of<float>(grid, A, edge));
        ASSERT_TRUE(single.positive());
        const Matrix Y = single.solve(B.cast<float>()).cast<double>();
        EXPECT_LT((A * Y - B).norm(), kRatioBound * size * 0x1p29);
    }
}

TEST(DistributedCholesky, SeesAMatrixThatIsNotPositive) {
    const Communicator ranks;
    const ProcessGrid grid(ranks);
    for (const Index bad : {0, 13, 29}) {
        Matrix A = positive_matrix(30);
        A(bad, bad) = -1.0;
        const DistributedCholeskyOf<double> factor(ranks, grid, share_of<double>(grid, A, 4));
        EXPECT_FALSE(factor.positive()) << bad;
        EXPECT_EQ(factor.rcond(), 0.0);
    }
}

}  // namespace
}  // namespace attest
