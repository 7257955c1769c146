#include "distributed/tree_sum.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>

namespace attest {
namespace {

/// Numbers whose sum depends on the order of adding.
Matrix leaf(Index b, Index rows, Index cols) {
    Matrix value(rows, cols);
    for (Index k = 0; k < value.size(); ++k) {
        value.data()[k] = std::ldexp(1.0 + 1.0 / static_cast<double>(3 + b + k),
                                     static_cast<int>((7 * b + k) % 40));
    }
    return value;
}

void add(Matrix& left, const Matrix& right) {
    left += right;
}

TEST(TreeSum, HasTheBitsOfTheTreeOnOneRank) {
    const Communicator ranks;
    for (const Index blocks : {1, 2, 3, 5, 37, 64, 100}) {
        const BlockPartition partition = partition_blocks(blocks, ranks.size());
        TreeStack<Matrix> tree;
        Matrix in_a_row = Matrix::Zero(5, 3);
        for (Index b = 0; b < blocks; ++b) {
            tree.push({0, b}, leaf(b, 5, 3), add);
            in_a_row += leaf(b, 5, 3);
        }
        const Matrix sum = tree_sum(ranks, partition, 5, 3, [](Index b) { return leaf(b, 5, 3); });
        EXPECT_EQ(sum, std::move(tree).root(add)) << blocks;
        if (blocks == 100) {
            EXPECT_NE(sum, in_a_row);  // the order does count here
        }
    }
}

TEST(TreeSum, AddsMoreNumbersThanOneMessageHolds) {
    const Communicator ranks;
    const BlockPartition partition = partition_blocks(6, ranks.size());
    const Index rows = (Index{1} << 22) + 17;
    const Matrix sum = tree_sum(ranks, partition, rows, 1, [&](Index b) {
        return Matrix::Constant(rows, 1, static_cast<double>(b + 1));
    });
    EXPECT_EQ(sum, Matrix::Constant(rows, 1, 21.0));
}

TEST(Communicator, GathersAndUnites) {
    const Communicator ranks;
    const Index P = ranks.size();
    std::vector<double> numbers(static_cast<std::size_t>(2 * P), 0.0);
    std::vector<Index> starts;
    for (Index r = 0; r <= P; ++r) {
        starts.push_back(2 * r);
    }
    const auto mine = static_cast<std::size_t>(2 * ranks.rank());
    numbers[mine] = static_cast<double>(ranks.rank());
    std::vector<double> united = numbers;
    ranks.gather_to_all(numbers, starts);
    ranks.unite(std::span<double>(united));
    for (Index r = 0; r < P; ++r) {
        EXPECT_EQ(numbers[static_cast<std::size_t>(2 * r)], static_cast<double>(r));
    }
    EXPECT_EQ(numbers, united);
}

}  // namespace

namespace {

void put_in_brackets(std::string& left, const std::string& right) {
    left = "(" + left + right + ")";
}

/// The tree over blocks a, b, c, … as brackets, cut up among ranks and put together again.
std::string brackets(Index blocks, Index ranks) {
    const BlockPartition partition = partition_blocks(blocks, ranks);
    TreeStack<std::string> tree;
    for (Index r = 0; r < ranks; ++r) {
        TreeStack<std::string> mine;
        for (Index b = partition.first(r); b < partition.last(r); ++b) {
            mine.push({0, b}, std::string(1, static_cast<char>('a' + b % 26)), put_in_brackets);
        }
        EXPECT_EQ(mine.nodes(), partition.nodes(r));
        for (std::size_t k = 0; k < mine.nodes().size(); ++k) {
            tree.push(mine.nodes()[k], mine.values()[k], put_in_brackets);
        }
    }
    return std::move(tree).root(put_in_brackets);
}

TEST(BlockTree, AddsByHalves) {
    EXPECT_EQ(brackets(1, 1), "a");
    EXPECT_EQ(brackets(4, 1), "((ab)(cd))");
    EXPECT_EQ(brackets(7, 1), "(((ab)(cd))((ef)g))");
}

RC_GTEST_PROP(BlockTree, IsTheSameForAnyNumberOfRanks, ()) {
    const Index blocks = *rc::gen::inRange<Index>(1, 200);
    const Index ranks = *rc::gen::inRange<Index>(1, 40);
    RC_ASSERT(brackets(blocks, ranks) == brackets(blocks, 1));
}

RC_GTEST_PROP(BlockTree, EveryBlockHasOneOwnerAndSharesAreNearlyEqual, ()) {
    const Index blocks = *rc::gen::inRange<Index>(1, 3000);
    const Index ranks = *rc::gen::inRange<Index>(1, 70);
    const BlockPartition partition = partition_blocks(blocks, ranks);
    RC_ASSERT(std::ssize(partition.starts) == ranks + 1);
    for (Index r = 0; r < ranks; ++r) {
        const Index count = partition.last(r) - partition.first(r);
        RC_ASSERT(count >= 0);
        // Cuts are moved by half an eighth of a share at most.
        RC_ASSERT(8 * (count - 1) * ranks <= 9 * blocks);
        for (Index b = partition.first(r); b < partition.last(r); ++b) {
            RC_ASSERT(partition.owner(b) == r);
        }
    }
    RC_ASSERT(partition.last(ranks - 1) == blocks);
}

}  // namespace
}  // namespace attest
