#include "core/data/model_file.hpp"
#include "core/features/coefficients.hpp"
#include "tests/cli/head_models.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace attest::test {
namespace {

using nlohmann::json;

TEST(AttestHeads, FindsThePlantedHeadsAndKeepsTheFunction) {
    const TemporaryFolder folder;
    const std::string data = planted_data(folder, "0");
    const std::string model = folder.file("model.npz");
    const std::string small = folder.file("small.npz");
    (void)run_json({"learn", data, "-o", model});

    const json found = run_json({"heads", model, "-o", small});

    EXPECT_EQ(found["heads_before"], 9);
    EXPECT_EQ(found["num_heads"], 2);
    EXPECT_EQ(found["lower_bound"], 2);
    EXPECT_EQ(found["counting_bound"], 4);
    EXPECT_EQ(found["search_end"], "proved");
    EXPECT_EQ(found["same_function"], true);
    EXPECT_EQ(found["locally_unique"], true);
    EXPECT_LE(found["residual"].get<double>(), kFunctionBar);
    EXPECT_EQ(found["heads_note"],
              "2 heads found, at least 2 certified: no fewer exist; W is locally unique, the heads "
              "up to GL(2)");
    const Model written = read_model(small);
    EXPECT_EQ(written.heads.num_heads(), 2);
    EXPECT_EQ(written.P, coefficients(written.heads));
    expect_same_outputs(folder, model, small, data);
}

TEST(AttestHeads, StateTheirCostFirstAndTellTheirProgress) {
    const TemporaryFolder folder;

    const RunResult run =
        run_attest({"heads", generic_model(folder, 2), "-o", folder.file("m.npz")});

    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err.rfind("fewest heads: 2 to 2, up to 30 starts for each: at most ", 0), 0U)
        << run.err;
    EXPECT_NE(run.err.find("or at Ctrl-C, with the best so far\n"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("best so far: 2 heads, after "), std::string::npos) << run.err;
    EXPECT_NE(run.out.find("2 heads found, at least 2 certified: no fewer exist"),
              std::string::npos)
        << run.out;
}

TEST(AttestHeads, AreTheSameForTheSameSeed) {
    const TemporaryFolder folder;
    const std::string model = generic_model(folder, 3);
    const auto heads = [&](const std::string& name, const std::string& seed) {
        (void)run_json({"heads", model, "--to", "3", "--seed", seed, "-o", folder.file(name)});
        return read_model(folder.file(name)).P;
    };

    EXPECT_EQ(heads("a.npz", "1"), heads("b.npz", "1"));
}

TEST(AttestHeads, OfAGivenNumberLoseLeastWhenFitted) {
    const TemporaryFolder folder;
    const std::string model = generic_model(folder, 3);
    double before = 1.0;
    for (const std::string count : {"1", "2", "3"}) {
        const json found = run_json({"heads", model, "--to", count, "-o", folder.file("m.npz")});

        EXPECT_EQ(found["num_heads"], std::stoi(count));
        EXPECT_EQ(found["same_function"], false);
        EXPECT_LT(found["losses"]["fit"], found["losses"]["refit"]);
        EXPECT_LT(found["losses"]["refit"], found["losses"]["svd"]);
        EXPECT_EQ(found["losses"]["fit"], found["loss"]);
        const double residual = found["residual"];
        EXPECT_EQ(found["loss"].get<double>(), residual * residual);
        EXPECT_LT(found["loss"], before);
        before = found["loss"];
    }
}

TEST(AttestHeads, OfEnoughHeadsAreTheSameFunctionForEveryModel) {
    const TemporaryFolder folder;
    const std::string model = generic_model(folder, 3);
    for (const std::string count : {"4", "6", "9"}) {  // counting bound, d(d+1)/2, d²
        const json found = run_json({"heads", model, "--to", count, "-o", folder.file("m.npz")});

        EXPECT_EQ(found["same_function"], true) << count;
        EXPECT_LE(found["num_heads"], std::stoi(count));
    }
}

TEST(AttestHeads, WithDataLoseLessOnThem) {
    const TemporaryFolder folder;
    const std::string data = planted_data(folder, "0");
    const std::string model = generic_model(folder, 3);

    const json on_data =
        run_json({"heads", model, "--to", "1", "--data", data, "-o", folder.file("data_norm.npz")});
    (void)run_json({"heads", model, "--to", "1", "-o", folder.file("sym_norm.npz")});

    EXPECT_EQ(on_data["loss_norm"], "data");
    const auto norm_of = [&](const char* name) {
        return json::parse(read_model(folder.file(name)).meta)["heads_norm"];
    };
    EXPECT_EQ(norm_of("data_norm.npz"), "data");
    EXPECT_EQ(norm_of("sym_norm.npz"), "sym");
    // The loss is the mean square of the outputs' error relative to that of the outputs: refit the
    // model's own outputs as labels and compare.
    const std::string outputs = folder.file("outputs.npz");
    (void)run_json({"predict", model, data, "-o", outputs});
    const double weighted =
        run_json({"predict", folder.file("data_norm.npz"), outputs})["relative"].get<double>();
    const double unweighted =
        run_json({"predict", folder.file("sym_norm.npz"), outputs})["relative"].get<double>();
    const double loss = on_data["loss"].get<double>();
    EXPECT_LT(weighted, unweighted);
    // Two sums of N·o products of ψ terms each.
    EXPECT_LT(std::abs(weighted - loss), 450.0 * 18.0 * std::numeric_limits<double>::epsilon());
}

TEST(AttestHeads, OnDataThatDoNotDetermineTheFunctionSaySo) {
    const TemporaryFolder folder;
    const std::string data = folder.file("single.npz");
    (void)run_json({"generate", "iid-entries", "--d", "3", "--n", "1", "-N", "60", "-o", data});

    const json found =
        run_json({"heads", generic_model(folder, 3), "--data", data, "-o", folder.file("m.npz")});

    EXPECT_EQ(found["num_heads"], 3);  // d heads suffice for single tokens, 4 are needed elsewhere
    EXPECT_EQ(found["lower_bound"], 1);
    EXPECT_LE(found["residual"].get<double>(), kFunctionBar);
    EXPECT_EQ(found["same_function"], false);
}

TEST(AttestHeads, WithoutTimeAreExactStill) {
    const TemporaryFolder folder;

    const json found =
        run_json({"heads", generic_model(folder, 3), "--budget", "0", "-o", folder.file("m.npz")});

    EXPECT_EQ(found["num_heads"], 6);
    EXPECT_EQ(found["search_end"], "budget");
    EXPECT_EQ(found["same_function"], true);
}

TEST(AttestHeads, KeepTheBestSoFarWhenInterrupted) {
    const TemporaryFolder folder;
    const std::string model = generic_model(folder, 6);  // far more work than this test waits for
    const std::string small = folder.file("small.npz");
    const std::string log = folder.file("log");
    const std::string script = std::string(ATTEST_BINARY) + " heads " + model +
                               " --budget 1e6 --json -o " + small + " 2> " + log +
                               " & pid=$!; until grep -q fewest " + log +
                               " || ! kill -0 $pid; do sleep 0.02; done; kill -TERM $pid; wait "
                               "$pid";

    const RunResult run = run_program("/bin/sh", {"-c", script});

    EXPECT_EQ(run.code, 130) << run.err;
    const json found = json_of(run);
    EXPECT_EQ(found["search_end"], "interrupted");
    EXPECT_EQ(found["same_function"], true);
    EXPECT_LE(found["num_heads"], 21);
    EXPECT_EQ(read_model(small).heads.num_heads(), found["num_heads"]);
}

}  // namespace
}  // namespace attest::test
