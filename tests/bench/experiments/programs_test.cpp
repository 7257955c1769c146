#include "bench/experiments/fig4_automata.hpp"
#include "bench/experiments/turing_exhaust.hpp"
#include "core/base/bitwise.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace attest {
namespace {

Row row_of(const Case& one) {
    const CaseOutcome outcome = one.run();
    Row row;
    row.key = one.key;
    row.status = outcome.status;
    row.metrics = outcome.metrics;
    return row;
}

TEST(Fig4, VariesOneSizeAtATime) {
    const Experiment quick = make_fig4(Profile::quick, 1);
    EXPECT_EQ(quick.cases.size(), (1U + 3 * 2) * 3);
    EXPECT_EQ(make_fig4(Profile::full, 1).cases.size(), (1U + 3 * 4) * 3);
}

TEST(Fig4, ACaseCertifiesEveryTestTokenAfterItIsAccurate) {
    const Experiment quick = make_fig4(Profile::quick, 1);
    const auto smallest = std::find_if(quick.cases.begin(), quick.cases.end(), [](const Case& one) {
        return one.key.parameters.at("letters") == ParameterValue(std::int64_t{2});
    });
    ASSERT_NE(smallest, quick.cases.end());

    const Row row = row_of(*smallest);

    ASSERT_EQ(row.status, RowStatus::ok);
    EXPECT_LE(row.metrics.at("tokens_99").value, row.metrics.at("tokens_100").value);
    EXPECT_LE(row.metrics.at("tokens_100").value, row.metrics.at("tokens_certified").value);
    EXPECT_LE(row.metrics.at("rank").value, row.metrics.at("tokens_certified").value);
    EXPECT_TRUE(is_zero(row.metrics.at("certified_but_wrong").value));
    EXPECT_NE(fig4_text({row}).find("letters"), std::string::npos);
}

TEST(TuringExhaustExperiment, NothingCertifiedIsWrong) {
    const Experiment quick = make_turing_exhaust(Profile::quick, 1);
    const Row row = row_of(quick.cases.front());

    EXPECT_EQ(row.status, RowStatus::ok);
    EXPECT_TRUE(is_zero(row.metrics.at("certified_but_wrong").value));
    EXPECT_LT(row.metrics.at("certified_share").value, 1.0);
    EXPECT_LE(row.metrics.at("certified_share").value, row.metrics.at("exact_share").value);
    EXPECT_NE(turing_exhaust_text({row}).find("exact_random"), std::string::npos);
}

}  // namespace
}  // namespace attest
