#include "core/explain/mapped_rows.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

/// Single tokens, the columns of A.
Dataset single_tokens(const Matrix& A) {
    Dataset data;
    data.tokens = A;
    for (Index t = 0; t <= A.cols(); ++t) {
        data.offsets.push_back(t);
    }
    return data;
}

TEST(BrokenRelations, AreThoseThatDoNotVanishOnTheInput) {
    // Every token is (a, 0): z_2 = 0 and S_12 = S_22 = 0 hold in the data.
    const Dataset data = single_tokens(Matrix{{1, 2, 3}, {0, 0, 0}});
    const Explanation why = explain(data, certify_rank(data), std::nullopt);
    ASSERT_GE(why.classes.size(), 1U);

    const auto broken = broken_relations(why, single_tokens(Matrix{{5, 0, 1}, {0, 1, 1}}));

    EXPECT_TRUE(broken[0].empty()) << "(5, 0) is like the data";
    EXPECT_FALSE(broken[1].empty());
    EXPECT_FALSE(broken[2].empty());
    for (const Index number : broken[2]) {
        EXPECT_LT(number, std::ssize(why.classes));
    }
}

}  // namespace
}  // namespace attest
