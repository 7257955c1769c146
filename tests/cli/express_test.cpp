#include "core/data/dataset_file.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace attest::test {
namespace {

using nlohmann::json;

RunResult check_proof(const std::string& proof, const std::string& data) {
    return run_program(ATTEST_CHECK_BINARY, {proof, data});
}

TEST(AttestExpress, ProvesThatNoLayerDoesTheTask) {
    const TemporaryFolder folder;
    const std::string data = folder.file("all.npz");
    const std::string proof = folder.file("no.cert");
    for (const std::string layer : {"linear", "decay=1,1/3", "affine", "degree=0..2"}) {
        const json found = run_json(
            {"express", "parity", "--length", "4", "--layer", layer, "-o", data, "--proof", proof},
            1);
        EXPECT_EQ(found["expressible"], "inexpressible") << layer;
        EXPECT_EQ(found["least_risk"], "1") << layer;
        EXPECT_EQ(found["power"], "1");
        EXPECT_EQ(check_proof(proof, data).out, "VERIFIED inexpressible 1 1\n") << layer;
    }
}

TEST(AttestExpress, WritesTheHeadsThatDoIt) {
    const TemporaryFolder folder;
    const std::string data = folder.file("all.npz");
    const std::string model = folder.file("model.npz");
    const json found =
        run_json({"express", "recall", "--pairs", "2", "-o", data, "--model", model});
    EXPECT_EQ(found["expressible"], "expressible");
    EXPECT_EQ(found["least_risk"], "0");
    EXPECT_EQ(found["num_examples"], 16);
    const json predicted = run_json({"predict", model, data});
    EXPECT_EQ(found["model_is_exact"].get<bool>(), predicted["risk"] == 0.0) << predicted;
    EXPECT_LT(predicted["risk"].get<double>(), 1e-28);
}

TEST(AttestExpress, HasNoProofOfWhatCanBeDone) {
    const TemporaryFolder folder;
    const std::string proof = folder.file("no.cert");
    const json found = run_json({"express", "parity", "--length", "2", "--proof", proof});
    EXPECT_TRUE(found["proof"].is_null());
    EXPECT_FALSE(std::ifstream(proof).good());
}

TEST(AttestExpress, RefusesInOneLine) {
    const auto complaint = [](const std::vector<std::string>& words) {
        const RunResult run = run_attest(words);
        EXPECT_TRUE(one_line(run.err)) << run.err;
        return run.code;
    };
    EXPECT_EQ(complaint({"express"}), 2) << "a task or --all";
    EXPECT_EQ(complaint({"express", "--all", "parity"}), 2);
    EXPECT_EQ(complaint({"express", "parities"}), 2);
    EXPECT_EQ(complaint({"express", "word-problem", "--group", "S9"}), 2);
    EXPECT_EQ(complaint({"express", "parity", "--length", "99"}), 4);
    EXPECT_EQ(complaint({"express", "parity", "--layer", "gates"}), 4);
    EXPECT_EQ(complaint({"express", "parity", "--layer", "normalised"}), 2) << "no such layer";
}

/// The rows that `express --all` makes are those committed, and the page shows each of them.
TEST(AttestExpress, MakesTheCommittedTableAndThePageShowsIt) {
    const json made = run_json({"express", "--all"});
    std::ifstream committed(std::string(ATTEST_RESULTS) + "/expressible.json");
    ASSERT_TRUE(committed.good());
    EXPECT_EQ(made, json::parse(committed));
    std::ifstream page_file(std::string(ATTEST_RESULTS) + "/../docs/expressible.md");
    const std::string page((std::istreambuf_iterator<char>(page_file)), {});
    for (const json& row : made["rows"]) {
        std::string parameters;
        for (const auto& [name, value] : row["parameters"].items()) {
            parameters += (parameters.empty() ? "" : " ") + name + "=" + value.get<std::string>();
        }
        const std::string line = "| " + row["task"].get<std::string>() + " | " + parameters +
                                 " | `" + row["layer"].get<std::string>() + "` | " +
                                 row["least_risk"].get<std::string>() + " | " +
                                 row["power"].get<std::string>() + " |";
        EXPECT_SAYS(page, line) << line;
    }
}

TEST(AttestCertify, SaysTheLeastRiskOverAllModelsOfTheData) {
    const TemporaryFolder folder;
    const std::string path = folder.file("data.npz");
    const std::string proof = folder.file("no.cert");
    Dataset data;
    data.tokens = Matrix::Ones(1, 2);
    data.offsets = {0, 1, 2};
    data.labels = LabelKind::per_sequence;
    data.y = Matrix::Zero(1, 2);
    data.y(0, 1) = 1.0;
    write_dataset(path, data);

    const json found = run_json({"certify", path, "--expressible", "--proof", proof});

    EXPECT_EQ(found["verdict"], "determined") << "one feature, and it is not 0";
    EXPECT_EQ(found["expressible"], "inexpressible") << "one input, two labels";
    EXPECT_EQ(found["least_risk"], "1/4");
    EXPECT_EQ(found["least_risk_value"], 0.25);
    EXPECT_EQ(check_proof(proof, path).out, "VERIFIED inexpressible 1 4\n");
    EXPECT_EQ(run_attest({"certify", path, "--expressible", "--level", "rigorous"}).code, 2);
}

}  // namespace
}  // namespace attest::test
