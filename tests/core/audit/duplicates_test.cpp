#include "core/audit/duplicates.hpp"

#include "tests/core/audit/audit_examples.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(Duplicates, AreEqualInputsWhateverTheirLabels) {
    Dataset data = test::scalars(Matrix{{1, 2, 1, 3, 2, 1}});
    data.labels = LabelKind::per_sequence;
    data.y = Matrix{{0, 5, 0, 0, 5, -3}};
    const std::vector<DuplicateGroup> groups = duplicate_groups(data);
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0].sequences, (std::vector<Index>{0, 2, 5}));
    EXPECT_EQ(groups[0].labels_differ_by, 3.0);
    EXPECT_EQ(groups[1].sequences, (std::vector<Index>{1, 4}));
    EXPECT_EQ(groups[1].labels_differ_by, 0.0);
}

TEST(Duplicates, DifferInTheQueryOrInATokensOrder) {
    Dataset data;
    data.tokens = Matrix{{1, 2, 2, 1, 1, 2}};
    data.offsets = {0, 2, 4, 6};
    data.query = {0, 1, 1};
    EXPECT_TRUE(duplicate_groups(data).empty());
    data.query[2] = 0;
    EXPECT_EQ(duplicate_groups(data).size(), 1U);
}

TEST(SeenBefore, NamesTheFirstOfItsKind) {
    const Dataset data = test::scalars(Matrix{{4, 1, 1}});
    const std::vector<SeenBefore> seen = seen_before(data, test::scalars(Matrix{{2, 1, 4}}));
    ASSERT_EQ(seen.size(), 2U);
    EXPECT_EQ(seen[0].number, 1);
    EXPECT_EQ(seen[0].as, 1);
    EXPECT_EQ(seen[1].number, 2);
    EXPECT_EQ(seen[1].as, 0);
}

}  // namespace
}  // namespace attest
