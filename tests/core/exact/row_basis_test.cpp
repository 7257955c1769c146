#include "core/exact/row_basis.hpp"

#include "tests/support/error_message.hpp"
#include "tests/support/modular_draws.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {
namespace {

const Modulus kDefault;

std::span<const Residue> row_of(const ModularMatrix& A, Index i) {
    return {A.row(i), static_cast<std::size_t>(A.cols())};
}

/// The status of each row by the definition: ranks of growing matrices. O(N) eliminations.
std::vector<RowRelation> statuses_by_rank(const ModularMatrix& H, const ModularMatrix& Y) {
    std::vector<RowRelation> statuses;
    std::vector<Index> independent;
    for (Index i = 0; i < H.rows(); ++i) {
        std::vector<Index> with_row = independent;
        with_row.push_back(i);
        const ModularMatrix rows = select_rows(H, with_row);
        const ModularMatrix labels = select_rows(Y, with_row);
        const ModularMatrix joint = transpose(stack(transpose(rows), transpose(labels)));
        const auto before = static_cast<Index>(independent.size());
        if (rank(kDefault, rows) > before) {
            independent = with_row;
            statuses.push_back(RowRelation::independent);
        } else {
            statuses.push_back(rank(kDefault, joint) > before ? RowRelation::inconsistent
                                                              : RowRelation::consistent);
        }
    }
    return statuses;
}

RowBasisOptions draw_options(Index num_labels) {
    return {num_labels, draw_index(1, 5), draw_index(0, 2)};
}

TEST(RowBasis, ReportsEachRowByHand) {
    ModularRowBasis basis(kDefault, 2, {.num_labels = 1});
    const auto append = [&](Residue a, Residue b, Residue y) {
        const std::vector<Residue> row{a, b};
        const std::vector<Residue> label{y};
        return basis.append(row, label);
    };
    EXPECT_EQ(append(1, 2, 5), 0);
    append(2, 4, 10);  // twice the first row, twice its label
    append(2, 4, 11);  // the same row, another label
    append(0, 1, 3);
    EXPECT_EQ(basis.status(0), RowRelation::pending);

    basis.flush();

    EXPECT_EQ(basis.status(0), RowRelation::independent);
    EXPECT_EQ(basis.status(1), RowRelation::consistent);
    EXPECT_EQ(basis.status(2), RowRelation::inconsistent);
    EXPECT_EQ(basis.status(3), RowRelation::independent);
    EXPECT_EQ(basis.rank(), 2);
    // h·P = y: P = (−1, 3).
    EXPECT_EQ(basis.solution()(0, 0), kDefault.negate(1));
    EXPECT_EQ(basis.solution()(0, 1), 3U);
}

RC_GTEST_PROP(RowBasis, CountsIndependentRowsAsRankDoesAndFindsTheirNullSpace, ()) {
    const Index cols = draw_index(1, 6);
    const ModularMatrix H =
        reduce(kDefault, draw_low_rank(draw_index(1, 12), cols, draw_index(1, 4)));
    ModularRowBasis basis(kDefault, cols, draw_options(0));

    basis.append(H, ModularMatrix(H.rows(), 0));
    basis.flush();

    RC_ASSERT(basis.rank() == rank(kDefault, H));
    RC_ASSERT(basis.count(RowRelation::independent) == basis.rank());
    RC_ASSERT(basis.count(RowRelation::inconsistent) == 0);
    RC_ASSERT(basis.null_basis().rows() == cols - basis.rank());
    RC_ASSERT(multiply(kDefault, H, transpose(basis.null_basis())) ==
              ModularMatrix(H.rows(), cols - basis.rank()));
    const ModularMatrix minor = select_columns(select_rows(H, basis.pivot_rows()), basis.pivots());
    RC_ASSERT(rank(kDefault, minor) == basis.rank());
}

RC_GTEST_PROP(RowBasis, JudgesLabelsAsRanksOfGrowingMatricesDo, ()) {
    // One row a block and no screens: every row is judged against exactly the rows before it.
    const Index cols = draw_index(1, 4);
    const ModularMatrix H =
        reduce(kDefault, draw_low_rank(draw_index(1, 8), cols, draw_index(1, 3)));
    const ModularMatrix Y = reduce(kDefault, draw_integers<Integer>(H.rows(), 2));
    ModularRowBasis basis(kDefault, cols, {.num_labels = 2, .block_rows = 1});

    basis.append(H, Y);

    const std::vector<RowRelation> expected = statuses_by_rank(H, Y);
    for (Index i = 0; i < H.rows(); ++i) {
        RC_ASSERT(basis.status(i) == expected[static_cast<std::size_t>(i)]);
    }
}

TEST(RowBasis, ComparesEveryLabelOfADependentRow) {
    // h·P = (5, 7, 9) for h = (1, 2); of 3h every label in turn is one too large. Without screens
    // elimination compares, with them the solution so far does.
    for (const Index screens : {0, 1}) {
        ModularRowBasis basis(kDefault, 2, {.num_labels = 3, .block_rows = 1, .screens = screens});
        const auto append = [&](Residue factor, const std::vector<Residue>& labels) {
            const std::vector<Residue> row{factor, 2 * factor};
            return basis.status(basis.append(row, labels));
        };
        EXPECT_EQ(append(1, {5, 7, 9}), RowRelation::independent);
        EXPECT_EQ(append(3, {15, 21, 27}), RowRelation::consistent);
        for (std::size_t a = 0; a < 3; ++a) {
            std::vector<Residue> labels{15, 21, 27};
            labels[a] += 1;
            EXPECT_EQ(append(3, labels), RowRelation::inconsistent)
                << "label " << a << ", screens " << screens;
        }
    }
}

RC_GTEST_PROP(RowBasis, CarriesRealisableLabelsAlong, ()) {
    const Index cols = draw_index(1, 6);
    const MatrixOf<Integer> H = draw_low_rank(draw_index(1, 12), cols, draw_index(1, 4));
    const MatrixOf<Integer> Y = H * draw_integers<Integer>(cols, 2);
    ModularRowBasis basis(kDefault, cols, draw_options(2));

    basis.append(reduce(kDefault, H), reduce(kDefault, Y));
    basis.flush();

    RC_ASSERT(basis.count(RowRelation::inconsistent) == 0);
    RC_ASSERT(multiply(kDefault, reduce(kDefault, H), transpose(basis.solution())) ==
              reduce(kDefault, Y));
}

RC_GTEST_PROP(RowBasis, TakesSparseRowsAsTheirDenseForms, ()) {
    const Index cols = draw_index(1, 8);
    const Index rows = draw_index(1, 10);
    const RowBasisOptions options = draw_options(1);
    ModularRowBasis sparse(kDefault, cols, options);
    ModularRowBasis dense(kDefault, cols, options);
    for (Index i = 0; i < rows; ++i) {
        std::vector<SparseEntry> entries;
        std::vector<Residue> row(static_cast<std::size_t>(cols), 0);
        for (Index e = draw_index(0, 3); e > 0; --e) {
            // Columns repeat now and then: repeated entries add up.
            const SparseEntry entry{draw_index(0, cols - 1),
                                    static_cast<Residue>(draw_index(1, 3))};
            entries.push_back(entry);
            Residue& at = row[static_cast<std::size_t>(entry.column)];
            at = kDefault.add(at, entry.value);
        }
        const std::vector<Residue> label{static_cast<Residue>(draw_index(0, 1))};
        sparse.append_sparse(entries, label);
        dense.append(row, label);
    }
    sparse.flush();
    dense.flush();

    RC_ASSERT(sparse.pivot_rows() == dense.pivot_rows());
    RC_ASSERT(sparse.null_basis() == dense.null_basis());
    for (Index i = 0; i < rows; ++i) {
        RC_ASSERT(sparse.status(i) == dense.status(i));
    }
}

TEST(RowBasis, FindsTheSameRankWithAnyBlockSizeAndScreens) {
    const ModularMatrix H = multiply(
        kDefault, filled_matrix(kDefault, 500, 90, 1), filled_matrix(kDefault, 90, 150, 2));
    for (const Index block_rows : {1, 7, 64, 1000}) {
        for (const Index screens : {0, 1}) {
            ModularRowBasis basis(kDefault, 150, {0, block_rows, screens});
            basis.append(H, ModularMatrix(500, 0));
            basis.flush();

            EXPECT_EQ(basis.rank(), 90);
            EXPECT_EQ(basis.count(RowRelation::consistent), 410);
            EXPECT_EQ(multiply(kDefault, H, transpose(basis.null_basis())), ModularMatrix(500, 60));
        }
    }
}

TEST(RowBasis, ScreensSettleDependentRowsWithoutTheBuffer) {
    const ModularMatrix H =
        multiply(kDefault, filled_matrix(kDefault, 40, 10, 1), filled_matrix(kDefault, 10, 30, 2));
    ModularRowBasis basis(kDefault, 30, {.block_rows = 20, .screens = 1});

    basis.append(H, ModularMatrix(40, 0));

    // The first block found all ten; nothing waits after it.
    EXPECT_EQ(basis.count(RowRelation::pending), 0);
    EXPECT_EQ(basis.count(RowRelation::independent), 10);
}

RC_GTEST_PROP(RowBasis, SpansExactlyWhatDoesNotRaiseTheRank, ()) {
    const Index cols = draw_index(1, 5);
    const ModularMatrix H =
        reduce(kDefault, draw_low_rank(draw_index(1, 6), cols, draw_index(1, 3)));
    const ModularMatrix query = reduce(kDefault, draw_integers<Integer>(1, cols));
    ModularRowBasis basis(kDefault, cols);
    basis.append(H, ModularMatrix(H.rows(), 0));
    basis.flush();

    RC_ASSERT(basis.spans(row_of(query, 0)) ==
              (rank(kDefault, stack(H, query)) == rank(kDefault, H)));
    RC_ASSERT(basis.spans(row_of(H, 0)));
}

TEST(RowBasis, NamesRowsThatDoNotFit) {
    ModularRowBasis basis(kDefault, 2, {.num_labels = 1});
    const std::vector<Residue> three(3, 0);
    const std::vector<Residue> two(2, 0);
    const std::vector<SparseEntry> outside{{2, 1}};

    EXPECT_REFUSED("append: got a row of 3 entries", basis.append(three));
    EXPECT_REFUSED("append: got 0 labels", basis.append(two));
    EXPECT_REFUSED("append_sparse: got column 2 of 2", basis.append_sparse(outside));
    EXPECT_REFUSED("spans: the row's length is wrong", basis.spans(three));
    EXPECT_REFUSED("ModularRowBasis: needs at least one column and one row a block",
                   ModularRowBasis(kDefault, 0));
}

}  // namespace
}  // namespace attest::test
