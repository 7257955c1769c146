#include "core/moments/gram_kernel.hpp"

#include "core/algebra/matrix.hpp"
#include "core/base/error.hpp"
#include "core/exact/scalars.hpp"
#include "core/moments/product_sum.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/process_settings.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace attest {
namespace {

/// Small integers: products and sums of them are exact in float.
template <class Scalar>
MatrixOf<Scalar> integers(Index rows, Index cols, Index step) {
    MatrixOf<Scalar> A(rows, cols);
    for (Index i = 0; i < A.size(); ++i) {
        A.data()[i] = static_cast<Scalar>((step * i + i * i) % 7 - 3);
    }
    return A;
}

/// products(j, i) = data(factor_j, i) · data(entry_j, i).
template <class Scalar>
MatrixOf<Scalar> products(const MatrixOf<Scalar>& data, const std::vector<ProductPair>& pairs) {
    MatrixOf<Scalar> result(static_cast<Index>(pairs.size()), data.cols());
    for (Index i = 0; i < data.cols(); ++i) {
        for (Index j = 0; j < result.rows(); ++j) {
            const ProductPair& pair = pairs[static_cast<std::size_t>(j)];
            result(j, i) = data(pair.factor, i) * data(pair.entry, i);
        }
    }
    return result;
}

/// Row lists of every kind the kernel distinguishes: single stretches, one seam at each lane of
/// each register, several seams.
std::vector<std::vector<ProductPair>> row_lists(Index rows, Index lanes) {
    std::vector<std::vector<ProductPair>> lists;
    for (Index seam = 0; seam <= rows; ++seam) {
        std::vector<ProductPair> list;
        for (Index j = 0; j < rows; ++j) {
            const Index lane = j % lanes;
            list.push_back(j < seam ? ProductPair{j / lanes, lane} : ProductPair{5, lane + 2});
        }
        lists.push_back(list);
    }
    lists.emplace_back(static_cast<std::size_t>(rows), ProductPair{1, 2});
    std::vector<ProductPair> mixed = triangle_pairs(3);
    while (static_cast<Index>(mixed.size()) < rows) {
        mixed.push_back({static_cast<Index>(mixed.size()) % 3, 1});
    }
    mixed.resize(static_cast<std::size_t>(rows));
    lists.push_back(mixed);
    return lists;
}

template <class Scalar>
struct Aligned {
    alignas(64) std::array<Scalar, 48 * 130> values;
};

/// form_columns, form_and_multiply and multiply on `count` examples against plain loops, exactly.
template <class Scalar>
void check_products(Isa isa, const std::vector<ProductPair>& list, Index width, Index count) {
    const GramPathOf<Scalar>& path = gram_path<Scalar>(isa);
    const MatrixOf<Scalar> x = integers<Scalar>(2 * path.lanes + 8, count, 3);
    const MatrixOf<Scalar> w = integers<Scalar>(4, count, 5);
    std::vector<ProductPair> column_pairs = triangle_pairs(4);
    column_pairs.resize(static_cast<std::size_t>(width));
    const MatrixOf<Scalar> expected = products(x, list) * products(w, column_pairs).transpose();
    static Aligned<Scalar> panel;
    static Aligned<Scalar> tile;
    tile.values.fill(Scalar(1));
    std::vector<Scalar> columns(static_cast<std::size_t>(width * count));

    path.form_columns(columns.data(), width, w.data(), w.rows(), count, column_pairs.data());
    path.form_and_multiply(tile.values.data(),
                           panel.values.data(),
                           x.data(),
                           x.rows(),
                           list.data(),
                           columns.data(),
                           count,
                           width);
    path.multiply(tile.values.data(), panel.values.data(), columns.data(), count, width);

    const Eigen::Map<MatrixOf<Scalar>> sum(tile.values.data(), path.rows, width);
    EXPECT_EQ(MatrixOf<Scalar>(sum),
              MatrixOf<Scalar>(2 * expected + MatrixOf<Scalar>::Ones(path.rows, width)))
        << to_string(isa) << ", width " << width << ", count " << count;
}

template <class Scalar>
void check_every_path() {
    for (const Isa isa : available_isas()) {
        const GramPathOf<Scalar>& path = gram_path<Scalar>(isa);
        const std::vector<std::vector<ProductPair>> lists = row_lists(path.rows, path.lanes);
        for (Index width = 1; width <= path.columns; ++width) {
            for (const Index count : {1, 2, 7, 128}) {
                check_products<Scalar>(isa, lists.front(), width, count);
                check_products<Scalar>(isa, lists.back(), width, count);
            }
        }
        for (const std::vector<ProductPair>& list : lists) {
            check_products<Scalar>(isa, list, path.columns, 5);
        }
    }
}

TEST(GramKernel, EveryPathEqualsPlainLoopsInDouble) {
    check_every_path<double>();
}

TEST(GramKernel, EveryPathEqualsPlainLoopsInSinglePrecision) {
    check_every_path<float>();
}

TEST(GramKernel, ADroppedExampleIsNoticed) {
    const MatrixOf<double> x = integers<double>(24, 9, 3);
    const std::vector<ProductPair> pairs = triangle_pairs(4);
    const Matrix all = products(x, pairs) * products(x, pairs).transpose();
    const Matrix x8 = x.leftCols(8);
    EXPECT_NE(all, Matrix(products(x8, pairs) * products(x8, pairs).transpose()));
}

TEST(GramKernel, FoldKeepsWhatEachAdditionLoses) {
    for (const Isa isa : available_isas()) {
        const GramPathOf<double>& path = gram_path<double>(isa);
        const auto lanes = static_cast<std::size_t>(path.lanes);
        std::vector<double> high(lanes, 1.0);
        std::vector<double> low(lanes, 0.0);
        std::vector<double> tile(lanes);
        std::vector<Rational> exact(lanes, Rational(1));
        for (int step = 0; step < 100; ++step) {
            for (std::size_t i = 0; i < lanes; ++i) {
                tile[i] = std::ldexp(1.0 + static_cast<double>(i), step % 50 - 60);
                exact[i] += Rational(tile[i]);
            }

            path.fold(high.data(), low.data(), tile.data(), path.lanes);
        }

        for (std::size_t i = 0; i < lanes; ++i) {
            EXPECT_EQ(Rational(high[i]) + Rational(low[i]), exact[i]) << to_string(isa);
            EXPECT_NE(Rational(high[i]), exact[i]) << "the compensation is needed here";
        }
    }
}

TEST(GramKernel, WiderRegistersHaveAHigherPeak) {
    for (const Isa isa : available_isas()) {
        EXPECT_GT(peak_gflops<double>(isa, 1), 0.0) << to_string(isa);
        EXPECT_GT(peak_gflops<float>(isa, 1), 0.0) << to_string(isa);
    }
}

TEST(Isa, NamesReadBack) {
    for (const Isa isa : {Isa::automatic, Isa::avx512, Isa::avx2, Isa::portable}) {
        EXPECT_EQ(isa_from_string(to_string(isa)), isa);
    }
    EXPECT_REFUSED("isa: got 'sse9'", isa_from_string("sse9"));
}

TEST(Isa, TheEnvironmentForcesAPath) {
    for (const Isa isa : available_isas()) {
        const test::EnvironmentVariable forced("ATTEST_ISA", std::string(to_string(isa)));
        EXPECT_EQ(resolve_isa(Isa::automatic), isa);
        EXPECT_EQ(resolve_isa(Isa::portable), Isa::portable) << "an explicit choice stands";
    }
    const test::EnvironmentVariable wrong("ATTEST_ISA", "sse9");
    EXPECT_THROW((void)resolve_isa(Isa::automatic), InvalidInput);
}

TEST(Isa, AnInstructionSetTheProcessorLacksIsRefused) {
    EXPECT_EQ(choose_isa(Isa::automatic, {Isa::avx2, Isa::portable}), Isa::avx2);
    try {
        (void)choose_isa(Isa::avx512, {Isa::avx2, Isa::portable});
        FAIL() << "nothing was thrown";
    } catch (const NotAvailable& error) {
        EXPECT_STREQ(
            error.what(),
            "isa: got avx512, expected an instruction set of this processor, at most avx2");
    }
}

}  // namespace
}  // namespace attest
