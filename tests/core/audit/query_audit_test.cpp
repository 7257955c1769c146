#include "core/audit/query_audit.hpp"

#include "tests/core/audit/audit_examples.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

QueryAudit audited(const Dataset& data, const Dataset& queries) {
    const DatasetSource source(data);
    return audit_queries(FactoredSource(source), certify_rank(data), queries);
}

TEST(QueryAudit, CountsWhatIsDeterminedAndHoldsOneOpenQueryAgainstTheData) {
    const Dataset data = test::planted(40, 1);  // single tokens: rank 4 of 6
    const Dataset inside = test::planted(3, 1, 8);
    const Dataset mixed = concatenate(inside, test::planted(2, 3, 8));

    const QueryAudit all = audited(data, inside);
    const QueryAudit some = audited(data, mixed);

    EXPECT_EQ(all.verdict, DataVerdict::determined);
    EXPECT_EQ(all.determined, 3);
    EXPECT_TRUE(all.proof);
    EXPECT_EQ(some.verdict, DataVerdict::not_determined);
    EXPECT_EQ(some.determined, 3);
    EXPECT_EQ(some.not_determined, 2);
    EXPECT_TRUE(some.proof);
    EXPECT_TRUE(std::isfinite(some.leverages(0)));
    EXPECT_TRUE(std::isinf(some.leverages(4)));
}

TEST(QueryAudit, RefusesQueriesOfAnotherDimension) {
    const Dataset data = test::planted(40, 1);

    EXPECT_EQ(test::invalid_input_message([&] {
                  (void)audited(data, test::scalars(Matrix{{1, 2}}));
              }),
              "queries: tokens have 1 entries, the data have 2");
}

}  // namespace
}  // namespace attest
