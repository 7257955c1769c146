#include "distributed/block_tree.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace attest {
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
