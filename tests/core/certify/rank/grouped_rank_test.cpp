#include "core/certify/rank/grouped_rank.hpp"

#include "core/certify/proof.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

/// counts[g] sequences of three grid-normal tokens, the last of them replaced by column g of U.
Dataset grouped_data(const Matrix& U, const std::vector<Index>& counts) {
    std::vector<Index> order;
    for (std::size_t g = 0; g < counts.size(); ++g) {
        order.insert(order.end(), static_cast<std::size_t>(counts[g]), static_cast<Index>(g));
    }
    const auto N = std::ssize(order);
    Dataset data =
        test::planted_dataset(Parameters{U.rows(), 1, {}}, N, 3, Stream(25).child("grouped"));
    data.labels = LabelKind::none;
    data.y.resize(0, 0);
    data.truth = {};
    for (Index i = 0; i < N; ++i) {
        // Neighbours are of different groups.
        data.tokens.own().col(data.query_token(i)) =
            U.col(order[static_cast<std::size_t>(i * 7 % N)]);
    }
    return data;
}

Matrix one_hot(Index d) {
    return Matrix::Identity(d, d);
}

void expect_same_as_without_groups(const Dataset& data) {
    const GroupedRank grouped = certify_grouped_rank(data);
    const ExactRank whole = certify_rank(data);

    EXPECT_EQ(grouped.verdict, whole.verdict) << grouped.reason;
    EXPECT_TRUE(grouped.rank_is_exact()) << grouped.reason;
    EXPECT_EQ(grouped.rank_lower, whole.rank_lower) << grouped.reason;
    EXPECT_TRUE(grouped_proof(data, grouped).has_value());
}

TEST(GroupedRank, OneHotQueriesWithEnoughExamplesHaveFullRank) {
    for (const Index d : {1, 2, 3, 5}) {
        const auto groups = static_cast<std::size_t>(d);
        const Dataset data = grouped_data(one_hot(d), std::vector<Index>(groups, packed_dim(d)));

        EXPECT_EQ(certify_grouped_rank(data).verdict, RankVerdict::full_rank) << d;
        expect_same_as_without_groups(data);
    }
}

TEST(GroupedRank, NullitiesOfTheGroupsAddUp) {
    // q = 6: ranks 6, 2 and 4 of 18.
    const Dataset data = grouped_data(one_hot(3), {11, 2, 4});

    const GroupedRank rank = certify_grouped_rank(data);

    EXPECT_EQ(rank.verdict, RankVerdict::deficient);
    EXPECT_EQ(rank.rank_lower, 12);
    expect_same_as_without_groups(data);
}

TEST(GroupedRank, AQueryThatIsMissingCostsRankQ) {
    const Dataset data = grouped_data(one_hot(3).rightCols(2), {7, 13});

    EXPECT_EQ(certify_grouped_rank(data).rank_lower, 12);
    expect_same_as_without_groups(data);
}

TEST(GroupedRank, QueriesNeedNotBeOneHot) {
    const Matrix U{{1.0, 2.0, 0.0}, {0.5, -1.0, 0.0}, {0.0, 3.0, 0.25}};

    expect_same_as_without_groups(grouped_data(U, {7, 9, 4}));
}

TEST(GroupedRank, StatesInAPlaneAreProvedDeficientByNullVectors) {
    Dataset data = grouped_data(one_hot(3), {19, 17, 14});
    for (Index t = 0; t < data.tokens.cols(); ++t) {
        if (t % 3 != 2) {
            data.tokens.own()(2, t) = data.tokens(1, t);
        }
    }

    expect_same_as_without_groups(data);
}

TEST(GroupedRank, IndependentGroupsOfFullRankAmongOtherExamplesSuffice) {
    const Matrix U{{1.0, 0.0, 1.0, 2.0}, {0.0, 1.0, 1.0, 5.0}};
    const Dataset data = grouped_data(U, {5, 1, 4, 1});

    const GroupedRank rank = certify_grouped_rank(data);

    EXPECT_EQ(rank.verdict, RankVerdict::full_rank) << rank.reason;
    EXPECT_FALSE(rank.complete);
    EXPECT_EQ(rank.groups.size(), 2U);
    EXPECT_TRUE(grouped_proof(data, rank).has_value());
}

TEST(GroupedRank, DependentQueriesWithoutSuchGroupsDecideNothing) {
    const Matrix U{{1.0, 0.0, 1.0}, {0.0, 1.0, 1.0}};
    const Dataset data = grouped_data(U, {5, 2, 2});

    const GroupedRank rank = certify_grouped_rank(data);

    EXPECT_EQ(rank.verdict, RankVerdict::undecided);
    EXPECT_EQ(grouped_proof(data, rank), std::nullopt);
    EXPECT_EQ(rank.reason,
              "3 distinct queries are linearly dependent, and only 1 independent ones of the 2 "
              "needed have a group of rank q = 3; --level exact does not group");
}

TEST(GroupedRank, ProofsNameExamplesOfTheWholeDataSet) {
    const Dataset data = grouped_data(one_hot(1), {1});

    const std::string proof = grouped_proof(data, certify_grouped_rank(data)).value();

    const std::size_t claim = proof.find("claim ");
    EXPECT_EQ(proof.substr(claim, proof.find("\nend ") - claim),
              "claim grouped 1\ngroups 1\ngroup 0\nrank 1\nprime 4194301\nrows 0\ncolumns 0\n"
              "few-examples\nprime 4194301\ncolumns 0");
}

TEST(GroupedRank, PrefixesAreRefused) {
    Dataset data = grouped_data(one_hot(2), {3, 3});
    data.labels = LabelKind::per_prefix;
    data.y = Matrix::Ones(1, data.tokens.cols());

    EXPECT_REFUSED("grouped: got a label for every prefix", certify_grouped_rank(data));
}

}  // namespace
}  // namespace attest
