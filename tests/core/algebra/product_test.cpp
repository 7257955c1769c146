#include "core/algebra/product.hpp"

#include "core/base/error.hpp"
#include "core/rng/sample.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

/// Integers, so that every order of summation gives the same number.
template <class Scalar>
MatrixOf<Scalar> integers(Index rows, Index cols, const char* name) {
    const Matrix A = grid_matrix(grid_normal(), rows, cols, Stream(5).child(name)) * 4.0;
    return A.unaryExpr([](double x) { return std::round(x); }).template cast<Scalar>();
}

/// C + A B, entry by entry.
template <class Scalar>
MatrixOf<Scalar> by_definition(MatrixOf<Scalar> C,
                               const MatrixOf<Scalar>& A,
                               const MatrixOf<Scalar>& B) {
    for (Index i = 0; i < C.rows(); ++i) {
        for (Index j = 0; j < C.cols(); ++j) {
            for (Index k = 0; k < A.cols(); ++k) {
                C(i, j) += A(i, k) * B(k, j);
            }
        }
    }
    return C;
}

template <class Scalar>
void expect_every_transposition() {
    for (const Transpose turn_A : {Transpose::no, Transpose::yes}) {
        for (const Transpose turn_B : {Transpose::no, Transpose::yes}) {
            const MatrixOf<Scalar> A = integers<Scalar>(5, 3, "A");
            const MatrixOf<Scalar> B = integers<Scalar>(3, 4, "B");
            const MatrixOf<Scalar> start = integers<Scalar>(5, 4, "C");
            const MatrixOf<Scalar> given_A = turn_A == Transpose::yes ? A.transpose() : A;
            const MatrixOf<Scalar> given_B = turn_B == Transpose::yes ? B.transpose() : B;
            MatrixOf<Scalar> C = start;

            accumulate_product<Scalar>(C, given_A, turn_A, given_B, turn_B);

            EXPECT_EQ(C, by_definition<Scalar>(start, A, B));
        }
    }
}

TEST(AccumulateProduct, AddsTheProductInEveryTransposition) {
    expect_every_transposition<double>();
    expect_every_transposition<float>();
}

TEST(AccumulateProduct, WritesIntoABlockAndNothingElse) {
    const Matrix A = integers<double>(2, 3, "A");
    const Matrix B = integers<double>(3, 2, "B");
    Matrix C = Matrix::Zero(6, 6);

    accumulate_product<double>(C.block(1, 2, 2, 2), A, Transpose::no, B, Transpose::no);

    EXPECT_EQ(C.block(1, 2, 2, 2), A * B);
    C.block(1, 2, 2, 2).setZero();
    EXPECT_EQ(C, Matrix::Zero(6, 6));
}

TEST(AccumulateProduct, RefusesShapesThatDoNotMatch) {
    Matrix C = Matrix::Zero(2, 2);
    EXPECT_THROW(accumulate_product<double>(
                     C, Matrix::Zero(2, 3), Transpose::no, Matrix::Zero(2, 3), Transpose::no),
                 InvalidInput);
}

}  // namespace
}  // namespace attest
