#include "tests/cli/run_attest.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace attest::test {
namespace {

using nlohmann::json;

/// Data of one planted head and what learns it: 17 dimensions of the functions of one head, d = 3.
std::string one_head(const TemporaryFolder& folder, const std::string& count) {
    const std::string data = folder.file("data" + count + ".npz");
    (void)run_json({"generate",
                    "random-linear-attention",
                    "--d",
                    "3",
                    "--heads",
                    "1",
                    "-N",
                    count,
                    "-o",
                    data});
    return data;
}

std::string learned(const TemporaryFolder& folder, const std::string& data) {
    const std::string model = folder.file("model.npz");
    (void)run_json({"learn", data, "--heads", "min", "-o", model});
    return model;
}

TEST(AttestFewHeads, AreDeterminedLocallyByFewerExamplesThanFeatures) {
    const TemporaryFolder folder;
    const std::string model = learned(folder, one_head(folder, "100"));
    const json found =
        run_json({"certify", one_head(folder, "12"), "--model", model, "--heads", "1"}, 1);
    EXPECT_EQ(found["verdict"], "not_determined") << "for any number of heads";
    EXPECT_EQ(found["few_heads"]["verdict"], "locally_determined");
    EXPECT_EQ(found["few_heads"]["dimension"], 17);
    EXPECT_EQ(found["few_heads"]["examples_needed"], 6);

    const json open =
        run_json({"certify", one_head(folder, "4"), "--model", model, "--heads", "1"}, 1);
    EXPECT_EQ(open["few_heads"]["verdict"], "not_locally_determined");
    EXPECT_EQ(open["few_heads"]["rank"], 12) << "three outputs on each of four examples";
}

TEST(AttestFewHeads, RefusesAnotherNumberThanTheModelHas) {
    const TemporaryFolder folder;
    const std::string data = one_head(folder, "100");
    const std::string model = learned(folder, data);
    const RunResult run = run_attest({"certify", data, "--model", model, "--heads", "2"});
    EXPECT_EQ(run.code, 4);
    EXPECT_EQ(run.err,
              "attest certify: heads: got 2, but " + model +
                  " has 1; attest heads finds a model of the same function with fewer\n");
    EXPECT_EQ(run_attest({"certify", data, "--heads", "2"}).code, 2) << "no model";
}

}  // namespace
}  // namespace attest::test
