#include "core/data/model_file.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest::test {
namespace {

using nlohmann::json;

std::string layer_data(const TemporaryFolder& folder,
                       const std::string& layer,
                       const std::string& n) {
    std::string data = folder.file("data.npz");
    const RunResult run = run_attest(
        {"generate", "random-layer", "--layer", layer, "--n", n, "-N", "400", "-o", data});
    EXPECT_EQ(run.code, 0) << run.err;
    return data;
}

TEST(AttestLayers, ListsEveryWordWithItsSize) {
    const json list = json_of(run_attest({"layers", "--d", "4", "--json"}));
    ASSERT_GE(list["layers"].size(), 11U);
    EXPECT_EQ(list["layers"][0]["word"], "linear");
    EXPECT_EQ(list["layers"][0]["psi"], 40);
}

TEST(AttestLayers, SaysTheCanonicalTextOfOne) {
    const json one = json_of(run_attest({"layers", "affine decay=0.5", "--d", "2", "--json"}));
    EXPECT_EQ(one["layer"], "decay=1/2 affine");
    EXPECT_EQ(one["psi"], 21);
}

TEST(AttestLayers, AreLearnedCertifiedAndPredicted) {
    const TemporaryFolder folder;
    const std::string model = folder.file("model.npz");
    for (const std::string layer : {"decay=1,31/32",
                                    "window=2,5",
                                    "gates",
                                    "cross",
                                    "mapped",
                                    "delta",
                                    "delta gates",
                                    "delta gates=vector cross",
                                    "degree=0..2",
                                    "decay=1/2 affine"}) {
        const std::string data = layer_data(folder, layer, "4..9");
        const json learned =
            json_of(run_attest({"learn", data, "--layer", layer, "-o", model, "--json"}));
        EXPECT_EQ(learned["layer"], layer);
        EXPECT_EQ(learned["status"], "unique") << layer;
        const json predicted = json_of(run_attest({"predict", model, data, "--json"}));
        EXPECT_LT(predicted["relative"].get<double>(), 1e-22) << layer;
        EXPECT_EQ(predicted["layer"], layer);
        const json certified =
            json_of(run_attest({"certify", data, "--layer", layer, "--model", model, "--json"}));
        EXPECT_EQ(certified["verdict"], "determined") << layer;
        EXPECT_EQ(certified["rank"], learned["psi"]) << layer;
    }
}

TEST(AttestLayers, HaveProofsThatTheCheckerVerifies) {
    const TemporaryFolder folder;
    const std::string proof = folder.file("data.cert");
    for (const std::string layer : {"decay=2/3,1/3",
                                    "cross",
                                    "mapped",
                                    "gates",
                                    "affine",
                                    "delta",
                                    "delta gates=vector",
                                    "delta gates cross"}) {
        const std::string data = layer_data(folder, layer, "3..5");
        (void)run_attest({"certify", data, "--layer", layer, "--level", "exact", "--proof", proof});
        const RunResult checked = run_program(ATTEST_CHECK_BINARY, {proof, data});
        EXPECT_EQ(checked.code, 0) << layer << ": " << checked.out << checked.err;
    }
}

TEST(AttestLayers, AreProvedFromWhatTheyReadAlone) {
    const TemporaryFolder folder;
    const std::string data = layer_data(folder, "cross", "4");
    const std::string proof = folder.file("data.cert");
    EXPECT_EQ(run_attest({"certify", data, "--proof", proof}).code, 0) << "of layer linear";
    EXPECT_EQ(run_program(ATTEST_CHECK_BINARY, {proof, data}).code, 0) << "which has no use for x";
}

TEST(AttestLayers, TellWhatTheDataLeaveOpenFromWhatTheLayerDoes) {
    const TemporaryFolder folder;
    const RunResult one =
        run_attest({"certify", layer_data(folder, "affine", "5"), "--layer", "affine", "--json"});
    EXPECT_EQ(one.code, 1);
    EXPECT_EQ(json_of(one)["structural_rank"], 40);
    EXPECT_EQ(json_of(one)["nullity_beyond_structure"], 0);
    EXPECT_EQ(json_of(one)["determined_on_lengths_seen"], true);

    const RunResult lags =
        run_attest({"certify", layer_data(folder, "lags=2", "5"), "--layer", "lags=2", "--json"});
    EXPECT_EQ(lags.code, 0) << "what is left open vanishes on every input";
    EXPECT_EQ(json_of(lags)["rank"], 46);
}

TEST(AttestLayers, ReadTheKernelOffTheData) {
    const TemporaryFolder folder;
    const std::string data = layer_data(folder, "decay=15/16", "6..8");
    const json found =
        json_of(run_attest({"learn", data, "--layer", "lags=8", "--read-kernel", "--json"}));
    EXPECT_EQ(found["kernel_layer"], "decay=15/16");
    EXPECT_LT(found["kernel_layer_relative_risk"].get<double>(), 1e-22);
}

TEST(AttestLayers, RefuseInOneLineWhatDoesNotFit) {
    const TemporaryFolder folder;
    const std::string data = layer_data(folder, "linear", "4");
    const auto complaint = [&](const std::vector<std::string>& words) {
        const RunResult run = run_attest(words);
        EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
        return std::pair(run.code, run.err);
    };
    EXPECT_EQ(complaint({"learn", data, "--layer", "decoy=1"}).first, 2) << "no such word";
    EXPECT_EQ(complaint({"learn", data, "--layer", "decay=2"}).first, 4) << "out of range";
    EXPECT_EQ(complaint({"learn", data, "--layer", "cross"}).first, 4) << "x is missing";
    EXPECT_EQ(complaint({"certify", data, "--layer", "gates affine moments"}).first, 4);
    EXPECT_SAYS(complaint({"certify", data, "--layer", "delta"}).second, "keys is not there");
    const std::string gated = layer_data(folder, "delta gates", "4");
    EXPECT_SAYS(complaint({"certify", gated, "--layer", "delta"}).second,
                "gates is there beside keys, and the layer delta reads none");
    EXPECT_SAYS(complaint({"certify", gated, "--layer", "delta gates=vector"}).second,
                "gates with 1 rows, expected 3 for the layer delta gates=vector");
    EXPECT_EQ(complaint({"learn", gated, "--layer", "delta affine"}).first, 4);
    EXPECT_EQ(complaint({"learn", gated, "--layer", "delta decay=1/2"}).first, 4);
    EXPECT_EQ(complaint({"learn", data, "--read-kernel"}).first, 4) << "no lags";
    const std::string model = folder.file("model.npz");
    EXPECT_EQ(run_attest({"learn", data, "--layer", "decay=1/2", "-o", model}).code, 0);
    EXPECT_EQ(complaint({"learn", data, "--layer", "decay=1/2", "--heads", "min"}).first, 4);
    EXPECT_EQ(complaint({"certify", data, "--model", model}).first, 4) << "another layer";
}

}  // namespace
}  // namespace attest::test
