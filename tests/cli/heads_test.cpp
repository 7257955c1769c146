#include "core/data/model_file.hpp"
#include "core/features/coefficients.hpp"
#include "tests/cli/head_models.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/error_message.hpp"
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
    EXPECT_SAYS(run.err, "or at Ctrl-C, with the best so far\n");
    EXPECT_SAYS(run.err, "best so far: 2 heads, after ");
    EXPECT_SAYS(run.out, "2 heads found, at least 2 certified: no fewer exist");
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

using nlohmann::json;

/// Data of one planted head and what learns it: 17 dimensions of the functions of one head, d = 3.
std::string one_head(const TemporaryFolder& folder, const std::string& count) {
    std::string data = folder.file("data" + count + ".npz");
    (void)run_json(
        typed("generate random-linear-attention --d 3 --heads 1 -N " + count + " -o " + data));
    return data;
}

std::string learned(const TemporaryFolder& folder, const std::string& data) {
    std::string model = folder.file("model.npz");
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

using nlohmann::json;

TEST(AttestLearn, WithTheFewestHeadsIsTheSameMinimiser) {
    const TemporaryFolder folder;
    const std::string data = planted_data(folder, "0");
    const std::string svd = folder.file("svd.npz");
    const std::string fewest = folder.file("fewest.npz");

    const json many = run_json({"learn", data, "-o", svd});
    const json few = run_json({"learn", data, "--heads", "min", "-o", fewest});

    EXPECT_EQ(many["num_heads"], 9);
    EXPECT_EQ(few["num_heads"], 2);
    EXPECT_EQ(few["loss_norm"], "data");
    EXPECT_EQ(few["same_function"], true);
    EXPECT_EQ(read_model(fewest).heads.num_heads(), 2);
    expect_same_outputs(folder, svd, fewest, data);
}

TEST(AttestLearn, WithAGivenNumberOfHeadsFiltersNoise) {
    const TemporaryFolder folder;
    const std::string data = planted_data(folder, "0.1");
    const double least = run_json({"learn", data})["risk"];

    const json two = run_json({"learn", data, "--heads", "2", "-o", folder.file("two.npz")});
    const json one = run_json({"learn", data, "--heads", "1"});

    EXPECT_GE(two["risk"].get<double>(), least);
    EXPECT_GT(one["risk"], two["risk"]);
    EXPECT_EQ(read_model(folder.file("two.npz")).heads.num_heads(), 2);
    EXPECT_EQ(two["same_function"], false);
    // What two heads add to the risk is their loss: risk − least = loss · mean ‖Pᵀ H‖² ≤ loss ·
    // mean ‖y‖², as least squares projects the labels.
    const double power = two["risk"].get<double>() / two["relative"].get<double>();
    EXPECT_LE(two["risk"].get<double>() - least,
              two["loss"].get<double>() * power + 1e3 * 0x1p-53 * power);
}

TEST(AttestLearn, FindsThePlantedHeadsAtTheElbowOfTheVariance) {
    const TemporaryFolder folder;
    const std::string noisy = planted_data(folder, "0.01");
    const std::string model = folder.file("elbow.npz");

    const json found = run_json({"learn", noisy, "--heads", "elbow", "-o", model});

    EXPECT_EQ(found["elbow"], 2);
    EXPECT_EQ(found["num_heads"], 2);
    EXPECT_EQ(found["same_function"], false) << "the noise is gone";
    EXPECT_EQ(found["head_curve"].size(), 5U) << "0 to 4, what a generic function needs";
    EXPECT_EQ(read_model(model).heads.num_heads(), 2);

    const json again =
        run_json({"heads", model, "--elbow", "--data", noisy, "-o", folder.file("again.npz")});
    EXPECT_EQ(again["num_heads"], 2);
    EXPECT_EQ(again["same_function"], true);
    EXPECT_EQ(run_attest({"heads", model, "--elbow", "-o", folder.file("x.npz")}).code, 2)
        << "the noise shows in the norm of the data";
}

TEST(AttestLearn, WithRidgeStaysNearestToThePenalisedMinimiser) {
    const TemporaryFolder folder;
    const std::string data = planted_data(folder, "0.1");

    const json fitted = run_json({"learn", data, "--ridge", "10", "--heads", "2"});
    const json fewest = run_json({"learn", data, "--ridge", "10", "--heads", "min"});

    EXPECT_LT(fitted["losses"]["fit"], fitted["losses"]["svd"]);
    EXPECT_EQ(fewest["num_heads"], 4);  // noise and penalty make them generic
}

TEST(AttestHeads, OfALayerWithDecaysMergeWithinEachDecay) {
    const TemporaryFolder folder;
    const std::string data = folder.file("data.npz");
    const std::string model = folder.file("model.npz");
    const std::string small = folder.file("small.npz");
    ASSERT_EQ(run_attest(typed("generate random-layer --layer decay=1,1/2 -N 60 --d 2 --n 5 "
                               "--labels per_sequence -o " +
                               data))
                  .code,
              0);
    ASSERT_EQ(run_attest(typed("learn " + data + " --layer decay=1,1/2 -o " + model)).code, 0);

    const RunResult run = run_attest(typed("heads " + model + " --budget 5 --json -o " + small));

    EXPECT_EQ(run.code, 0) << run.err;
    const nlohmann::json found = json_of(run);
    EXPECT_TRUE(found["same_function"]);
    EXPECT_EQ(found["kernels"].size(), 2U);
    EXPECT_LT(found["num_heads"], found["heads_before"]);
    EXPECT_GE(found["num_heads"], found["lower_bound"]);
    const RunResult predicted = run_attest(typed("predict " + small + " " + data + " --json"));
    EXPECT_LT(json_of(predicted)["relative"], 1e-20) << "the labels are exact";
    EXPECT_EQ(run_attest(typed("heads " + model + " --to 1 -o " + small)).code, 4);
}

}  // namespace

}  // namespace attest::test
