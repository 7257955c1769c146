#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "proofs_check/exact/example_sets.hpp"
#include "tests/cli/head_models.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace attest::test {
namespace {

using nlohmann::json;

TEST(Model, OfTheMinimiserMayDifferByNothingAndAnotherByMore) {
    const TemporaryFolder folder;
    const std::string data = planted_layer(folder, "data.npz", "3");
    const std::string model = folder.file("model.npz");
    const std::string ridge = folder.file("ridge.npz");
    (void)run_json({"learn", data, "-o", model});
    (void)run_json({"learn", data, "--ridge", "1", "-o", ridge});

    const json best = run_json({"certify", data, "--model", model, "--queries", data})["model"];
    const json certified = run_json({"certify", data, "--model", ridge, "--queries", data});
    const json worse = certified["model"];

    EXPECT_GT(worse["risk"].get<double>(), worse["least_risk"].get<double>());
    ASSERT_EQ(worse["queries"].size(), 60U);
    ASSERT_EQ(best["queries"].size(), 60U);
    for (std::size_t k = 0; k < worse["queries"].size(); ++k) {
        const json& row = worse["queries"][k];
        // 2√((risk − least)·leverage), a dozen roundings; the difference loses what it cancels.
        const double excess = worse["risk"].get<double>() - worse["least_risk"].get<double>();
        const double cancelled = worse["risk"].get<double>() / excess;
        const double leverage = certified["queries"][k]["leverage"];
        EXPECT_NEAR(row["may_differ_by"].get<double>() / (2.0 * std::sqrt(excess * leverage)),
                    1.0,
                    30.0 * 0x1p-52 * cancelled);
        EXPECT_LE(row["distance_to_erm"].get<double>(), row["may_differ_by"].get<double>());
        EXPECT_LE(best["queries"][k]["may_differ_by"].get<double>(),
                  row["may_differ_by"].get<double>());
    }
}

/// One entry of a token, two examples Z = 1 with labels 0 and 1, and the layer p.
json of_one_number(const TemporaryFolder& folder, double p) {
    const std::string data = folder.file("one.npz");
    const std::string model = folder.file("p.npz");
    write_dataset(data, with_labels(sequences({Matrix{{1.0}}, Matrix{{1.0}}}), Matrix{{0.0, 1.0}}));
    write_model(model, {1, 1, Matrix{{p}}, {1, 1, {}}, ""});
    return run_json({"certify", data, "--model", model, "--queries", data})["model"]["queries"][0];
}

TEST(Model, SaysWhereOutputsRoundToTheSameToken) {
    const TemporaryFolder folder;

    // The risk of p is 1/4 + (p − 1/2)², so p and 1 − p are equally good: they lie on either side.
    for (const double p : {0.4, 0.6, 2.0}) {
        const json row = of_one_number(folder, p);
        EXPECT_NEAR(row["may_differ_by"].get<double>(), 2.0 * std::abs(p - 0.5), 0x1p-40);
        EXPECT_FALSE(row["same_token"].get<bool>()) << p;
    }
}

TEST(Model, OfTheMinimiserAgreesWithItselfOnEveryToken) {
    const TemporaryFolder folder;
    const std::string data = planted_layer(folder, "data.npz", "3");
    const std::string model = folder.file("model.npz");
    (void)run_json({"learn", data, "-o", model});

    const json found = run_json({"certify", data, "--model", model, "--queries", data})["model"];

    // Its bound is rounding; no output of these data is so near 1/2.
    ASSERT_EQ(found["queries"].size(), 60U);
    for (const json& row : found["queries"]) {
        EXPECT_TRUE(row["same_token"].get<bool>()) << row.dump();
    }
}

}  // namespace
}  // namespace attest::test
