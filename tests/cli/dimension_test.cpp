#include "core/data/dataset_file.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/core/stack/stacks.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest::test {
namespace {

using nlohmann::json;

TEST(AttestDimension, ProvesItAndTheCheckerAgrees) {
    const TemporaryFolder folder;
    const std::string proof = folder.file("stack.cert");
    const json found = run_json({"dimension",
                                 "--d",
                                 "4",
                                 "--layers",
                                 "2",
                                 "--heads",
                                 "2",
                                 "--softmax",
                                 "--residual",
                                 "--proof",
                                 proof});
    EXPECT_EQ(found["parameters"], 128);
    EXPECT_EQ(found["dimension"], 96);
    EXPECT_EQ(found["proved"], true);
    EXPECT_EQ(found["evidence"], "symmetries");
    EXPECT_EQ(run_program(ATTEST_CHECK_BINARY, {proof}).out, "VERIFIED dimension 96\n");
    EXPECT_EQ(run_json({"check", proof})["verdict"], "verified");
}

TEST(AttestDimension, OfNormsIsNumericalAndWritesNoProof) {
    const TemporaryFolder folder;
    const std::string proof = folder.file("stack.cert");
    const json found = run_json({"dimension",
                                 "--d",
                                 "3",
                                 "--head-size",
                                 "1",
                                 "--norm",
                                 "rms",
                                 "--residual",
                                 "--proof",
                                 proof},
                                3);
    EXPECT_EQ(found["proved"], false);
    EXPECT_EQ(found["arithmetic"], "floating");
    EXPECT_TRUE(found["proof"].is_null());
}

TEST(AttestDimension, RefusesInOneLine) {
    const auto refuses = [](const std::vector<std::string>& words, int code) {
        const RunResult run = run_attest(words);
        EXPECT_EQ(run.code, code) << run.err;
        EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    };
    refuses({"dimension"}, 2);
    refuses({"dimension", "--d", "0"}, 2);
    refuses({"dimension", "--d", "3", "--heads", "3", "--groups", "2"}, 4);
    refuses({"dimension", "--d", "3", "--biases", "x"}, 2);
    refuses({"dimension", "--d", "3", "--softmax", "--score", "linear"}, 2);
    refuses({"dimension", "no.npz"}, 4);
    refuses({"dimension", "no.npz", "--d", "3"}, 2);
}

TEST(AttestCertify, OfAStackIsLocal) {
    const TemporaryFolder folder;
    const Stack stack = integer_stack(
        stack_shape(3, 1, 1, 2, 2, [](StackLayer& layer) { layer.residual = true; }), 1);
    const std::string model = folder.file("stack.npz");
    write_stack(model, stack);
    const auto data_of = [&](Index examples) {
        std::string path = folder.file(std::to_string(examples) + ".npz");
        write_dataset(path, integer_sequences(examples, 3, 3, 1));
        return path;
    };
    EXPECT_EQ(run_json({"certify", data_of(20), "--model", model})["verdict"],
              "locally_determined");
    const json open = run_json({"certify", data_of(2), "--model", model}, 1);
    EXPECT_EQ(open["verdict"], "not_determined");
    EXPECT_EQ(open["evidence"], "full_row_rank");
    EXPECT_FALSE(open["open"]["shares"].empty());
    EXPECT_EQ(run_attest({"certify", data_of(2), "--model", model, "--explain"}).code, 2);
}

}  // namespace
}  // namespace attest::test
