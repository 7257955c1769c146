#include "core/data/dataset_file.hpp"
#include "core/data/model_arrays.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/core/distil/softmax_problems.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace attest::test {
namespace {

using nlohmann::json;

/// layer.npz: one softmax head of d = o = 2; recorded.npz: 100 inputs of 4 tokens with its outputs.
struct Recorded {
    TemporaryFolder folder;
    std::string layer = folder.file("layer.npz");
    std::string data = folder.file("recorded.npz");

    Recorded() {
        const SoftmaxLayer softmax = random_softmax(2, 2, 1, 0);
        NpzWriter file;
        add_heads(file, "V", "Q", {2, 2, softmax.heads});
        file.write(layer);
        write_dataset(data, softmax_data(softmax, "linear", 4, 100, 0));
    }
};

void expect_bad_input(const RunResult& run, const std::string& part) {
    EXPECT_EQ(run.code, 4) << run.err;
    EXPECT_TRUE(one_line(run.err)) << run.err;
    EXPECT_EQ(run.err.rfind("attest distil: ", 0), 0U) << run.err;
    EXPECT_SAYS(run.err, part);
}

TEST(AttestDistil, WeightsAndRecordedOutputsGiveTheSameAnswer) {
    const Recorded at;
    const std::string model = at.folder.file("best.npz");

    const json by_weights = run_json(
        {"distil", at.layer, at.data, "--layer", "affine", "--starts", "1", "--updates", "200"});
    const json by_outputs = run_json(
        {"distil", at.data, "--layer", "affine", "--starts", "1", "--updates", "200", "-o", model});

    EXPECT_EQ(by_weights["num_examples"], 80);
    EXPECT_EQ(by_weights["num_held_out"], 20);
    EXPECT_EQ(by_weights["risk"], by_outputs["risk"]);
    EXPECT_EQ(by_outputs["floor_basis"], "exact");
    EXPECT_LE(by_outputs["floor"].get<double>(), by_outputs["risk"].get<double>() * (1.0 + 1e-12));
    EXPECT_EQ(by_outputs["contenders"].size(), 2U);
    for (const json& each : by_outputs["contenders"]) {
        EXPECT_GE(each["relative"].get<double>(), by_outputs["floor_relative"].get<double>());
    }
    const json predicted = run_json({"predict", model, at.data});
    EXPECT_LT(predicted["relative"].get<double>(), 1.0);
}

TEST(AttestDistil, SmallerScoresLeaveLessToLose) {
    const Recorded at;
    const auto relative = [&](const char* temperature, bool normalised) {
        std::vector<std::string> arguments{"distil",
                                           at.layer,
                                           at.data,
                                           "--layer",
                                           "affine",
                                           "--temperature",
                                           temperature,
                                           "--starts",
                                           "0"};
        if (normalised) {
            arguments.emplace_back("--normalised");
        }
        return run_json(arguments)["relative"].get<double>();
    };
    // τ² and τ⁴ of docs/distil.md, at 16 times the temperature: 256 and 65536, to within the next
    // order.
    EXPECT_NEAR(std::log2(relative("16", false) / relative("256", false)), 8.0, 0.5);
    EXPECT_NEAR(std::log2(relative("16", true) / relative("256", true)), 16.0, 0.5);
}

TEST(AttestDistil, HeldOutFilesAndLabelledDataAreReadAndWritten) {
    const Recorded at;
    const std::string labelled = at.folder.file("labelled.npz");
    const json found =
        run_json(typed("distil " + at.layer + " " + at.data + " --held-out " + at.data +
                       " --labelled " + labelled + " --starts 0 --floor rigorous"));
    EXPECT_EQ(found["num_examples"], 100);
    EXPECT_EQ(found["held_out_relative"], found["relative"]);
    EXPECT_EQ(found["floor_basis"], "rigorous");
    EXPECT_EQ(read_dataset(labelled).y, read_dataset(at.data).y);
}

TEST(AttestDistil, BadFilesAreOneLineAndExitFour) {
    const Recorded at;
    const std::string text = at.folder.file("text.npz");
    std::ofstream(text) << "no archive";
    const std::string unlabelled = at.folder.file("unlabelled.npz");
    Dataset inputs = read_dataset(at.data);
    inputs.labels = LabelKind::none;
    inputs.y.resize(0, 0);
    write_dataset(unlabelled, inputs);

    expect_bad_input(run_attest({"distil", text}), "text.npz");
    expect_bad_input(run_attest({"distil", text, at.data}), "text.npz");
    expect_bad_input(run_attest({"distil", "absent.npz"}), "absent.npz");
    expect_bad_input(run_attest({"distil", unlabelled}), "no labels");
    expect_bad_input(run_attest({"distil", at.data, unlabelled}), "Z: is not a weight");
    expect_bad_input(run_attest({"distil", at.data, "--layer", "mapped"}), "phi");
    expect_bad_input(run_attest({"distil", at.data, "--layer", "degree=1", "--normalised"}),
                     "degree=1");
    expect_bad_input(run_attest({"distil", at.data, "--temperature", "2"}), "--temperature");
    expect_bad_input(run_attest({"distil", at.data, "--layer", "affine", "--floor", "rigorous"}),
                     "full rank");
    EXPECT_EQ(run_attest({"distil", at.data, "--layer", "softmax"}).code, 2);
    EXPECT_EQ(run_attest({"distil", at.data, "--floor", "proved"}).code, 2);
    EXPECT_EQ(run_attest({"distil", at.data, "--normalised", "--ridge", "auto"}).code, 2);
    EXPECT_EQ(run_attest({"distil", at.data, "--num-heads", "3"}).code, 2);
    EXPECT_EQ(run_attest({"distil", at.data, at.data, "--scale", "0"}).code, 2);
}

}  // namespace
}  // namespace attest::test
