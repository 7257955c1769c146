#include "core/moments/product_sum.hpp"

#include "core/base/error.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {
namespace {

bool same(const ProductPair& a, const ProductPair& b) {
    return a.factor == b.factor && a.entry == b.entry;
}

/// Aligned runs of `lanes` products with one factor and consecutive entries.
Index single_stretches(const std::vector<ProductPair>& pairs, Index lanes) {
    Index found = 0;
    const auto size = static_cast<Index>(pairs.size());
    for (Index first = 0; first + lanes <= size; first += lanes) {
        bool single = true;
        for (Index i = first; i + 1 < first + lanes; ++i) {
            const ProductPair& here = pairs[static_cast<std::size_t>(i)];
            const ProductPair& next = pairs[static_cast<std::size_t>(i + 1)];
            single = single && same(next, {here.factor, here.entry + 1});
        }
        found += single ? 1 : 0;
    }
    return found;
}

TEST(ProductPairs, TriangleByHand) {
    const std::vector<ProductPair> pairs = triangle_pairs(3);

    const std::vector<ProductPair> expected{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    EXPECT_TRUE(std::equal(pairs.begin(), pairs.end(), expected.begin(), expected.end(), same));
    EXPECT_EQ(triangle_index(3, 1, 2), 4);
    EXPECT_EQ(triangle_index(3, 2, 1), 4);
}

TEST(ProductPairs, RegisterOrderByHand) {
    // n = 5 in registers of 2: entry 0, then the blocks {1,2} and {3,4}.
    const std::vector<ProductPair> pairs = triangle_pairs_by_register(5, 2);

    const std::vector<ProductPair> expected{{0, 1},
                                            {0, 2},
                                            {0, 3},
                                            {0, 4},
                                            {1, 3},
                                            {1, 4},
                                            {2, 3},
                                            {2, 4},
                                            {1, 1},
                                            {1, 2},
                                            {4, 4},
                                            {2, 2},
                                            {3, 3},
                                            {3, 4},
                                            {0, 0}};
    EXPECT_TRUE(std::equal(pairs.begin(), pairs.end(), expected.begin(), expected.end(), same));
}

TEST(ProductPairs, RegisterOrderHoldsEveryProductOnce) {
    for (const Index lanes : {2, 4, 8, 16}) {
        for (Index n = 1; n <= 50; ++n) {
            std::vector<ProductPair> pairs = triangle_pairs_by_register(n, lanes);
            const std::vector<ProductPair> all = triangle_pairs(n);

            std::sort(pairs.begin(), pairs.end(), [n](const ProductPair& a, const ProductPair& b) {
                return triangle_index(n, a.factor, a.entry) < triangle_index(n, b.factor, b.entry);
            });
            EXPECT_TRUE(std::equal(pairs.begin(), pairs.end(), all.begin(), all.end(), same))
                << "n = " << n << ", lanes = " << lanes;
        }
    }
}

TEST(ProductPairs, RegisterOrderIsMostlySingleStretches) {
    // Above the diagonal blocks every register is one; they are at most lanes+1 of n+1.
    for (const Index n : {36, 78, 136, 300}) {
        const Index registers = packed_dim(n) / 8;
        EXPECT_GE(single_stretches(triangle_pairs_by_register(n, 8), 8) * (n + 1),
                  registers * (n + 1 - 9));
        EXPECT_LT(single_stretches(triangle_pairs(n), 8) * (n + 1), registers * (n + 1 - 9));
    }
}

TEST(ProductPairs, PositionsFindEveryProduct) {
    const Index n = 11;
    const std::vector<ProductPair> pairs = triangle_pairs_by_register(n, 4);

    const std::vector<Index> positions = positions_of_triangle(n, pairs);

    for (Index a = 0; a < n; ++a) {
        for (Index b = a; b < n; ++b) {
            const Index at = positions[static_cast<std::size_t>(triangle_index(n, a, b))];
            EXPECT_TRUE(same(pairs[static_cast<std::size_t>(at)], {a, b}));
        }
    }
}

TEST(ProductPairs, ScaledEntriesByHand) {
    const std::vector<ProductPair> pairs = scaled_entries(7, 2);

    const std::vector<ProductPair> expected{{7, 0}, {7, 1}};
    EXPECT_TRUE(std::equal(pairs.begin(), pairs.end(), expected.begin(), expected.end(), same));
}

/// The finished sum as a matrix.
template <class Scalar>
MatrixOf<Scalar> dense(ProductSumOf<Scalar> sum) {
    sum.finish();
    MatrixOf<Scalar> A(sum.num_rows(), sum.num_columns());
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < A.cols(); ++j) {
            A(i, j) = sum.row(i)[j * sum.row_stride()];
        }
    }
    return A;
}

template <class Scalar>
MatrixOf<Scalar> naive(const MatrixOf<Scalar>& x,
                       const std::vector<ProductPair>& rows,
                       const MatrixOf<Scalar>& w,
                       const std::vector<ProductPair>& columns,
                       Index count) {
    MatrixOf<Scalar> A =
        MatrixOf<Scalar>::Zero(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
    for (Index i = 0; i < count; ++i) {
        for (Index r = 0; r < A.rows(); ++r) {
            const ProductPair& u = rows[static_cast<std::size_t>(r)];
            for (Index c = 0; c < A.cols(); ++c) {
                const ProductPair& v = columns[static_cast<std::size_t>(c)];
                A(r, c) += x(u.factor, i) * x(u.entry, i) * w(v.factor, i) * w(v.entry, i);
            }
        }
    }
    return A;
}

/// `entries` rows of small integers above `padding` rows of zeros.
template <class Scalar>
MatrixOf<Scalar> padded_integers(Index entries, Index padding, Index cols, Index step) {
    MatrixOf<Scalar> A = MatrixOf<Scalar>::Zero(entries + padding, cols);
    for (Index j = 0; j < cols; ++j) {
        for (Index i = 0; i < entries; ++i) {
            A(i, j) = static_cast<Scalar>((step * j + i * i + j * i) % 5 - 2);
        }
    }
    return A;
}

template <class Scalar>
void check_against_naive(Isa isa, Index n, Index m, Index count) {
    const std::vector<ProductPair> rows =
        triangle_pairs_by_register(n, gram_path<Scalar>(isa).lanes);
    const std::vector<ProductPair> columns = triangle_pairs(m);
    ProductSumOf<Scalar> sum(rows, columns, isa);
    const MatrixOf<Scalar> x = padded_integers<Scalar>(n, sum.padding(), count + 1, 3);
    const MatrixOf<Scalar> w = padded_integers<Scalar>(m, 0, count + 1, 2);

    sum.add(x, w, count, 1);
    sum.add(x, w, count, 1);

    const MatrixOf<Scalar> expected = naive<Scalar>(x, rows, w, columns, count);
    EXPECT_EQ(dense(sum), MatrixOf<Scalar>(Scalar(2) * expected))
        << to_string(isa) << ", n = " << n << ", m = " << m << ", count = " << count;
}

template <class Scalar>
void check_shapes() {
    for (const Isa isa : available_isas()) {
        for (const Index count : {0, 1, 127, 128, 129, 300}) {
            check_against_naive<Scalar>(isa, 6, 3, count);
        }
        for (const Index n : {1, 2, 3, 7, 8, 9, 17, 31, 40}) {
            check_against_naive<Scalar>(isa, n, 1 + n % 6, 21);
        }
    }
}

TEST(ProductSum, EqualsPlainLoopsOnIntegersInDouble) {
    check_shapes<double>();
}

TEST(ProductSum, EqualsPlainLoopsOnIntegersInSinglePrecision) {
    check_shapes<float>();
}

TEST(ProductSum, BitsDoNotDependOnThreads) {
    const Index n = 20;
    for (const Isa isa : available_isas()) {
        const std::vector<ProductPair> rows = triangle_pairs(n);
        std::vector<Matrix> results;
        for (const int threads : {1, 2, 3, 8}) {
            ProductSumOf<double> sum(rows, triangle_pairs(5), isa);
            Matrix x = Matrix::Zero(n + sum.padding(), 333);
            x.topRows(n) = test::normal_matrix(n, 333, Stream(1)) / 3.0;
            const Matrix w = test::normal_matrix(5, 333, Stream(2)) / 7.0;
            sum.add(x, w, 333, threads);
            sum.add(x, w, 100, threads);
            results.push_back(dense(sum));
        }
        for (const Matrix& result : results) {
            EXPECT_EQ(result, results.front()) << to_string(isa);
        }
    }
}

TEST(ProductSum, ErrorsOfDifferentCallsDoNotPileUp) {
    // 1, then 4096 times 2⁻⁵⁴: each is lost to rounding, all together are 2⁻⁴².
    for (const Isa isa : available_isas()) {
        ProductSumOf<double> sum({{0, 0}}, {{0, 0}}, isa);
        Matrix x = Matrix::Zero(1 + sum.padding(), 1);
        x(0, 0) = 1.0;
        const Matrix one = Matrix::Ones(1, 1);
        sum.add(x, one, 1, 1);
        x(0, 0) = std::ldexp(1.0, -27);
        double plain = 1.0;
        for (int i = 0; i < 4096; ++i) {
            sum.add(x, one, 1, 1);
            plain += std::ldexp(1.0, -54);
        }

        EXPECT_EQ(dense(sum)(0, 0), 1.0 + std::ldexp(1.0, -42)) << to_string(isa);
        EXPECT_EQ(plain, 1.0) << "what summing without compensation gives";
    }
}

TEST(ProductSum, PaddingRowsDoNotReachTheResult) {
    const std::vector<ProductPair> rows = triangle_pairs_by_register(5, 8);
    std::vector<Matrix> results;
    for (const double filler : {0.0, 1e300}) {
        ProductSumOf<double> sum(rows, triangle_pairs(2), Isa::automatic);
        Matrix x = padded_integers<double>(5, sum.padding(), 10, 1);
        x.bottomRows(sum.padding()).setConstant(filler);
        sum.add(x, padded_integers<double>(2, 0, 10, 3), 10, 1);
        results.push_back(dense(sum));
    }
    EXPECT_EQ(results.front(), results.back());
}

TEST(ProductSum, RefusesMoreExamplesThanThereAre) {
    ProductSumOf<double> sum({{0, 0}}, {{0, 0}}, Isa::portable);
    EXPECT_THROW(sum.add(Matrix::Ones(9, 2), Matrix::Ones(1, 2), 3, 1), BrokenInvariant);
}

}  // namespace

}  // namespace attest
