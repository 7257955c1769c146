#include "core/data/model_file.hpp"
#include "tests/cli/head_models.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace attest::test {
namespace {

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

}  // namespace
}  // namespace attest::test
