#include "tests/cli/run_attest.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest {
namespace {

TEST(AttestDemo, LearnsCertifiesAndShowsDataThatDoNotSuffice) {
    const nlohmann::json found = test::run_json({"demo"});

    EXPECT_EQ(found["psi"], 18);
    EXPECT_EQ(found["rank"], 18);
    EXPECT_EQ(found["verdict"], "determined");
    EXPECT_EQ(found["checker"].get<std::string>().find("VERIFIED"), 0U);
    // (ψ κ ε)² is 6e-25 for the condition κ = 200, ten times what sixty such examples have; a layer
    // that differs in one coefficient is off by about 1.
    EXPECT_LT(found["relative_on_fresh_inputs"].get<double>(), 1e-20);
    // z_3 is the answer not yet given: it times each of the six entries of S is always 0.
    EXPECT_EQ(found["deficient_rank"], 12);
    EXPECT_EQ(found["deficient_verdict"], "not_determined");
    EXPECT_EQ(found["explanation"]["classes"][0]["relation"], "z_3 = 0");
    EXPECT_NE(found["witness"]["difference"].get<double>(), 0.0);
}

TEST(AttestDemo, HoldsForOtherSeedsToo) {
    for (const char* seed : {"1", "7", "123"}) {
        EXPECT_EQ(test::run_json({"demo", "--seed", seed})["deficient_rank"], 12) << seed;
    }
}

TEST(AttestDemo, EndsWithWhatToDoNext) {
    const test::RunResult run = test::run_attest({"demo"});

    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_LT(run.out.find("VERIFIED"), run.out.find("z_3 = 0")) << run.out;
    EXPECT_SAYS(run.out, "attest certify data.npz --explain");
}

}  // namespace
}  // namespace attest
