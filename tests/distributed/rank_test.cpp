#include "core/certify/rank/exact_features.hpp"
#include "core/exact/float_product.hpp"
#include "distributed/distributed_groups.hpp"
#include "distributed/distributed_rank.hpp"
#include "tests/distributed/drawn_data.hpp"
#include "tests/support/layer_examples.hpp"
#include "tests/support/modular_draws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace attest {
namespace {

/// A matrix of residues of rank `rank`, the same on every rank.
ModularMatrix of_rank(const Modulus& p, Index rows, Index cols, Index rank) {
    return multiply(
        p, test::filled_matrix(p, rows, rank, 11), test::filled_matrix(p, rank, cols, 12));
}

/// Takes rows of A, `each` at a time.
void append_rows(DistributedRowBasis& basis, const ModularMatrix& A, Index each) {
    for (Index first = 0; first < A.rows(); first += each) {
        std::vector<Index> numbers(static_cast<std::size_t>(std::min(each, A.rows() - first)));
        std::iota(numbers.begin(), numbers.end(), first);
        basis.append(select_columns(select_rows(A, numbers), basis.own_columns()));
    }
}

struct Sizes {
    Index rows;
    Index cols;
    Index rank;
};

/// Fewer columns than ranks have blocks of 64, and more.
constexpr std::array kSizes{Sizes{3, 1, 1},
                            Sizes{9, 5, 5},
                            Sizes{40, 70, 30},
                            Sizes{200, 150, 150},
                            Sizes{90, 300, 90},
                            Sizes{310, 300, 120}};

TEST(DistributedRowBasis, HasTheRankOfOneProcess) {
    const Communicator ranks;
    for (const std::uint64_t prime : {kFloatPrime, kDefaultPrime}) {
        const Modulus p(prime);
        for (const auto& [rows, cols, rank] : kSizes) {
            const ModularMatrix A = of_rank(p, rows, cols, rank);
            for (const Index each : {Index{rows}, Index{64}, Index{7}}) {
                DistributedRowBasis basis(ranks, p, cols);
                append_rows(basis, A, each);
                EXPECT_EQ(basis.rank(), rank) << rows << 'x' << cols << " by " << each;
                const ModularMatrix minor =
                    select_columns(select_rows(A, basis.pivot_rows()), basis.pivots());
                EXPECT_EQ(attest::rank(p, minor), rank);
            }
        }
    }
}

TEST(DistributedRowBasis, TakesPivotsInAnyOrder) {
    const Communicator ranks;
    const Modulus p(kFloatPrime);
    for (const auto& [rows, cols, rank] : kSizes) {
        ModularMatrix A = of_rank(p, rows, cols, rank);
        for (Index i = 0; i < rows / 2; ++i) {
            std::fill_n(A.row(i), cols / 2, Residue{0});  // their pivots are in the right half
        }
        const Index expected = attest::rank(p, A);
        for (const Index each : {Index{64}, Index{7}}) {
            DistributedRowBasis basis(ranks, p, cols);
            append_rows(basis, A, each);
            EXPECT_EQ(basis.rank(), expected) << rows << 'x' << cols << " by " << each;
        }
    }
}

TEST(DistributedRowBasis, TakesTheLeadingColumnsWhateverTheRanks) {
    const Communicator ranks;
    const Modulus p(kFloatPrime);
    for (const auto& [rows, cols, rank] : kSizes) {
        ModularMatrix A = of_rank(p, rows, cols, rank);
        for (Index i = 0; cols > 4 && i < rows; ++i) {
            A(i, 3) = A(i, 0);  // never a pivot
        }
        DistributedRowBasis basis(ranks, p, cols);
        append_rows(basis, A, rows);
        EXPECT_EQ(basis.pivots(), reduced_row_echelon(p, A).pivots) << rows << 'x' << cols;
    }
}

/// The minor that a rank profile names is regular.
void expect_proved(const ExactRank& found, const Dataset& data) {
    const Modulus p(found.profile.prime);
    const ModularMatrix rows = select_rows(p, FeatureRows(data), found.profile.pivot_rows);
    EXPECT_EQ(rank(p, select_columns(rows, found.profile.pivot_columns)), found.rank_lower);
}

TEST(DistributedExactRank, IsThatOfOneProcessForEveryLayer) {
    const Communicator ranks;
    Index full = 0;
    for (const std::string& text : test::layer_texts()) {
        test::LayerCase wanted{text};
        if (!test::layer_data(wanted).layout().is_full()) {
            continue;
        }
        wanted.count = 3 * test::layer_data(wanted).layout().psi();
        const Dataset data = test::layer_data(wanted);
        const ExactRank serial = certify_rank(data);
        const ExactRank found =
            distributed_exact_rank(ranks, test::share_of(ranks, data, wanted.count / 7 + 1));
        EXPECT_EQ(found.rank_lower, serial.rank_lower) << text;
        EXPECT_EQ(found.verdict == RankVerdict::full_rank,
                  serial.verdict == RankVerdict::full_rank);
        EXPECT_NE(found.verdict, RankVerdict::deficient);
        expect_proved(found, data);
        full += found.verdict == RankVerdict::full_rank ? 1 : 0;
    }
    EXPECT_GE(full, 10);
}

TEST(DistributedExactRank, TakesAnotherPrimeWhereTheFirstDividesTheData) {
    const Communicator ranks;
    Dataset data = test::layer_data({.layer = "linear", .count = 40});
    data.tokens.own().row(1) *= static_cast<double>(kFloatPrime);
    const ExactRank found = distributed_exact_rank(ranks, test::share_of(ranks, data, 9));
    EXPECT_EQ(found.verdict, RankVerdict::full_rank);
    EXPECT_EQ(found.profile.prime, kDefaultPrime);
    expect_proved(found, data);
}

TEST(DistributedExactRank, OfFewExamplesIsTheirNumber) {
    const Communicator ranks;
    const Dataset data = test::drawn_dataset(4, 1, 30);
    const ExactRank found = distributed_exact_rank(ranks, test::share_of(ranks, data, 4));
    EXPECT_EQ(found.verdict, RankVerdict::deficient);
    EXPECT_EQ(found.rank_lower, 30);
    EXPECT_TRUE(found.rank_is_exact());
    expect_proved(found, data);
}

TEST(DistributedExactRank, OfRepeatedCoordinatesIsLeftOpen) {
    const Communicator ranks;
    Dataset data = test::drawn_dataset(4, 1, 100);
    data.tokens.own().row(3) = data.tokens.view().row(2);
    const ExactRank found = distributed_exact_rank(ranks, test::share_of(ranks, data, 9));
    EXPECT_EQ(found.verdict, RankVerdict::undecided);
    EXPECT_EQ(found.rank_lower, certify_rank(data).rank_lower);
    EXPECT_EQ(found.rank_upper, 40);
}

/// The groups, their ranks and what they prove are those of one process.
void expect_same_groups(const GroupedRank& found, const GroupedRank& serial) {
    EXPECT_EQ(found.verdict, serial.verdict);
    EXPECT_EQ(found.rank_lower, serial.rank_lower);
    EXPECT_EQ(found.rank_upper, serial.rank_upper);
    EXPECT_EQ(found.queries.pivot_columns, serial.queries.pivot_columns);
    ASSERT_EQ(found.groups.size(), serial.groups.size()) << found.reason;
    for (std::size_t g = 0; g < found.groups.size(); ++g) {
        EXPECT_EQ(found.groups[g].examples, serial.groups[g].examples);
        EXPECT_EQ(found.groups[g].states.rank_lower, serial.groups[g].states.rank_lower);
    }
}

TEST(DistributedGroupedRank, IsThatOfOneProcess) {
    const Communicator ranks;
    for (const Index per_query : {6, 12}) {  // q = 10 states
        const Dataset all = test::asked_by_units(4, per_query);
        Dataset more = all;  // a query beyond the four, so that full groups count alone
        more.tokens.own().col(more.query_token(0)).setOnes();
        for (const Dataset& data : {all, more}) {
            expect_same_groups(distributed_grouped_rank(ranks, test::share_of(ranks, data, 5)),
                               certify_grouped_rank(data, {NullVectors::none, {}}));
        }
    }
}

TEST(DistributedGroupedRank, NeedsThePapersLayer) {
    const Communicator ranks;
    const Dataset data = test::layer_data({.layer = "decay=1/2", .count = 20});
    EXPECT_THROW((void)distributed_grouped_rank(ranks, test::share_of(ranks, data, 5)),
                 AgreedFailure);
}

}  // namespace
}  // namespace attest
