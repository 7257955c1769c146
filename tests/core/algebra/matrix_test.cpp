#include "core/algebra/matrix.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest {
namespace {

using IntegerMatrix = MatrixOf<std::int64_t>;
using IntegerVector = VectorOf<std::int64_t>;

IntegerMatrix counting_matrix(Index rows, Index cols) {
    IntegerMatrix A(rows, cols);
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < cols; ++j) {
            A(i, j) = 1000 * i + j;
        }
    }
    return A;
}

TEST(Flatten, ReadsRowAfterRow) {
    Matrix A(2, 3);
    A << 1, 2, 3, 4, 5, 6;
    Vector expected(6);
    expected << 1, 2, 3, 4, 5, 6;

    EXPECT_TRUE(flatten(A) == expected);
    // Eigen's own order, columns first, must not be taken for it.
    EXPECT_FALSE(flatten(A) == A.reshaped());
}

RC_GTEST_PROP(Flatten, PutsEntryIJAtITimesColsPlusJ, ()) {
    const auto rows = *rc::gen::inRange<Index>(0, 9);
    const auto cols = *rc::gen::inRange<Index>(0, 9);
    const IntegerVector v = flatten(counting_matrix(rows, cols));

    RC_ASSERT(v.size() == rows * cols);
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < cols; ++j) {
            RC_ASSERT(v(i * cols + j) == 1000 * i + j);
        }
    }
}

RC_GTEST_PROP(Fold, InvertsFlatten, ()) {
    const auto rows = *rc::gen::inRange<Index>(0, 9);
    const auto cols = *rc::gen::inRange<Index>(0, 9);
    const IntegerMatrix A = counting_matrix(rows, cols);

    RC_ASSERT(fold(flatten(A), rows, cols) == A);
}

TEST(Fold, RefusesAVectorOfTheWrongLength) {
    try {
        static_cast<void>(fold<double>(Vector::Zero(5), 2, 3));
        ADD_FAILURE() << "nothing was thrown";
    } catch (const InvalidInput& error) {
        EXPECT_STREQ(error.what(), "fold: got 5 entries, expected 2x3");
    }
}

}  // namespace
}  // namespace attest
