#include "core/moments/query_groups.hpp"

#include "core/data/sources/moments.hpp"
#include "tests/support/audit_data.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using test::sequences;

/// Queries (1, 0), (0, 1), (1, 0).
Dataset three() {
    return sequences({Matrix{{2, 1}, {3, 0}}, Matrix{{5, 0}, {1, 1}}, Matrix{{1, 1}, {4, 0}}});
}

TEST(QueryGroups, KeepTheOrderOfTheExamples) {
    const Dataset data = three();

    const auto groups = query_groups(data);

    EXPECT_EQ(groups, (std::vector<std::vector<Index>>{{0, 2}, {1}}));
    EXPECT_EQ(group_queries(data, groups), (Matrix{{1, 0}, {0, 1}}));
}

TEST(QueryGroups, MinusZeroIsZero) {
    Dataset data = three();
    data.tokens.own()(1, 5) = -0.0;

    EXPECT_EQ(query_groups(data).size(), 2U);
    data.tokens.own()(1, 5) = 1e-300;
    EXPECT_EQ(query_groups(data).size(), 3U);
}

TEST(QueryGroups, StatesAreThePacksOfTheGroup) {
    const Dataset data = three();

    const Dataset states = group_states(data, std::vector<Index>{0, 2});
    const MomentBatch batch = DatasetSource(states).block(0);

    // S = [2 1][2 1]ᵀ + …: pairs first, then squares, by hand.
    EXPECT_EQ(batch.S, (Matrix{{6, 4}, {5, 2}, {9, 16}}));
    EXPECT_EQ(batch.u, (Matrix{{1, 1}}));
    EXPECT_EQ(states.layout().psi(), 3);
}

TEST(QueryGroups, PrefixesAreRefused) {
    Dataset data = three();
    data.labels = LabelKind::per_prefix;

    EXPECT_EQ(
        test::invalid_input_message([&] { (void)query_groups(data); }),
        "query_groups: got a label for every prefix, expected at most one for every sequence");
}

}  // namespace
}  // namespace attest
