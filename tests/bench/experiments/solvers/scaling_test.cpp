#include "bench/experiments/solvers/scaling.hpp"

#include "bench/experiments/entries.hpp"
#include "core/features/cubic.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace attest {
namespace {

/// A row as the experiment writes it, whose time is exactly d^9 nanoseconds.
Row solved(Index d) {
    Row row;
    row.id = "scaling";
    row.key.task = "random-linear-attention";
    row.key.parameters = {{"d", std::int64_t{d}},
                          {"n", std::int64_t{kScalingTokens}},
                          {"num_examples", std::int64_t{2 * feature_dim(d)}}};
    row.message = "tsqr";
    const double seconds = 1e-9 * std::pow(static_cast<double>(d), 9.0);
    row.metrics["cpu_seconds"] = {seconds};
    row.metrics["flops"] = {seconds * 1e9};
    row.metrics["bytes"] = {1.0};
    return row;
}

TEST(Scaling, FindsTheExponentOfAPowerLawAndExtrapolatesAtTheLastRate) {
    const std::string text =
        scaling().text({solved(4), solved(6), solved(8), solved(10), solved(12)});

    EXPECT_SAYS(text, "grow with the power 9.00 of the token dimension d from 8 to 12");
    EXPECT_SAYS(text, "extrapolated");
    EXPECT_SAYS(text, "927788433408") << "psi at d = 12288";
}

TEST(Scaling, ExtrapolatesNothingFromTooFewSizes) {
    const std::string text = scaling().text({solved(4), solved(6)});

    EXPECT_EQ(text.find("extrapolated"), std::string::npos);
    EXPECT_EQ(text.find("grow like"), std::string::npos);
}

TEST(Scaling, FollowsTheNumberOfSequencesAndTheirLengthApart) {
    std::vector<Row> rows{solved(8)};
    for (const std::int64_t times : {2, 4, 8, 16}) {
        Row more = solved(8);
        more.key.parameters["num_examples"] = 2 * feature_dim(8) * times;
        more.metrics["cpu_seconds"].value *= static_cast<double>(times);
        rows.push_back(more);
        Row longer = solved(8);
        longer.key.parameters["n"] = kScalingTokens * times;
        longer.metrics["cpu_seconds"].value *= static_cast<double>(times * times);
        rows.push_back(longer);
    }
    const std::string text = scaling().text(rows);

    EXPECT_SAYS(text, "power 1.00 of the number of sequences N from 2304 to 9216");
    EXPECT_SAYS(text, "power 2.00 of the tokens a sequence n from 32 to 128");
    EXPECT_EQ(text.find("token dimension"), std::string::npos) << "one d has no law";
}

TEST(Scaling, SolvesEverySizeOnce) {
    for (const Profile profile : {Profile::quick, Profile::full}) {
        std::set<std::string> keys;
        for (const Case& one : scaling().make(profile, 1).cases) {
            keys.insert(identity(one.key));
        }
        EXPECT_EQ(keys.size(), scaling_sizes(profile).size());
    }
}

}  // namespace
}  // namespace attest
