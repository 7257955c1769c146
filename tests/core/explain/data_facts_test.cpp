#include "core/explain/data_facts.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(InputDigests, DependOnTokensAndQueryAndNotOnLabels) {
    Dataset data;
    data.tokens = Matrix{{1, 2, 1, 2, 2, 1}};
    data.offsets = {0, 2, 4, 6};
    data.query = {1, 1, 1};
    data.labels = LabelKind::per_sequence;
    data.y = Matrix{{7, 8, 9}};
    const std::vector<std::string> digests = input_digests(data);
    EXPECT_EQ(digests[0], digests[1]);
    EXPECT_NE(digests[0], digests[2]);
    data.query[1] = 0;
    EXPECT_NE(input_digests(data)[0], input_digests(data)[1]);
}

}  // namespace
}  // namespace attest
