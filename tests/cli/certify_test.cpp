#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "proofs_check/exact/example_sets.hpp"
#include "tests/cli/head_models.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace attest::test {

namespace {

using nlohmann::json;

TEST(Witness, ModelsHaveTheSameTrainingRiskAndDisagreeOnTheInput) {
    const TemporaryFolder folder;
    const std::string data = planted_layer(folder, "data.npz", "1");

    const json found = run_json({"certify", data, "--witness", folder.file("w.npz")}, 1);

    const json a = run_json({"predict", folder.file("w-a.npz"), data});
    const json b = run_json({"predict", folder.file("w-b.npz"), data});
    // The files hold nearest doubles; a risk is a sum of N·o squares of ψ products each.
    EXPECT_LT(std::abs(a["relative"].get<double>() - b["relative"].get<double>()),
              60 * 2 * 6 * 0x1p-53);
    EXPECT_NE(found["witness"]["difference"].get<double>(), 0.0);
    const json again = run_json({"certify", data, "--queries", folder.file("w-input.npz")}, 1);
    EXPECT_EQ(again["queries"][0]["verdict"], "not_determined");
}

TEST(Witness, IsFoundWhereTooFewExamplesHaveProvedTheVerdictAlone) {
    const TemporaryFolder folder;
    const std::string data = folder.file("data.npz");
    (void)run_json({"generate", "iid-entries", "--d", "4", "-N", "30", "-o", data});

    const json found = run_json({"certify", data, "--witness", folder.file("w.npz")}, 1);

    EXPECT_EQ(found["rank"], 30);
    EXPECT_NE(found["witness"]["difference"].get<double>(), 0.0);
}

TEST(Witness, OfDeterminedDataIsNoneBesideTheVerdict) {
    const TemporaryFolder folder;
    const std::string data = planted_layer(folder, "data.npz", "3");

    const RunResult run = run_attest({"certify", data, "--witness", folder.file("w.npz")});
    const json found = run_json({"certify", data, "--witness", folder.file("w.npz")});

    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_SAYS(run.out, "none: the features are independent");
    EXPECT_EQ(found["verdict"], "determined");
    EXPECT_TRUE(found["witness"].is_null());
    EXPECT_FALSE(std::filesystem::exists(folder.file("w-a.npz")));
}

TEST(Noise, SaysHowFarTheTruthMayBeOnEachQuery) {
    const TemporaryFolder folder;
    const std::string data = planted_layer(folder, "data.npz", "3");

    const json found = run_json({"certify", data, "--queries", data, "--noise", "0.1"});

    // sigma √((r + 2√(rt) + 2t) / N · leverage) with r = 6·2 and t = log 20.
    const double t = std::log(20.0);
    const double energy = 0.01 * (12.0 + 2.0 * std::sqrt(12.0 * t) + 2.0 * t);
    ASSERT_EQ(found["queries"].size(), 60U);
    for (std::size_t k = 0; k < 60; ++k) {
        const double leverage = found["queries"][k]["leverage"];
        EXPECT_NEAR(
            found["noise"]["truth_within"][k].get<double>() / std::sqrt(energy / 60.0 * leverage),
            1.0,
            30.0 * 0x1p-53);
    }
}

TEST(Queries, OneThatIsUndecidedExitsThree) {
    // d = 1: the only feature is (Σ z_t²)·z. The squares add up to 2⁶¹ − 1 and the query is 2²² −
    // 3: modulo both primes of the elimination the feature vanishes, and over Q it does not. So
    // neither rank 1 nor a null vector is found.
    const TemporaryFolder folder;
    Dataset hidden;
    hidden.tokens = Matrix{{1518494429.0, 251347.0, 151570.0, 4194301.0}};
    hidden.offsets = {0, 4};
    write_dataset(folder.file("hidden.npz"), hidden);
    Dataset one;
    one.tokens = Matrix{{1.0}};
    one.offsets = {0, 1};
    write_dataset(folder.file("one.npz"), one);

    const json found = run_json(typed("certify " + folder.file("hidden.npz") +
                                      " --level exact --queries " + folder.file("one.npz")),
                                3);

    EXPECT_EQ(found["rank_lower"], 0);
    EXPECT_EQ(found["rank_upper"], 1);
    ASSERT_EQ(found["queries"].size(), 1U);
    EXPECT_EQ(found["queries"][0]["verdict"], "undecided");
}

TEST(Auto, ReportsLambdaMinWithItsProvedEnclosureBesideTheVerdict) {
    const TemporaryFolder folder;
    const std::string data = planted_layer(folder, "data.npz", "3");

    const json certified = run_json({"certify", data});
    const json& found = certified["lambda_min"];
    const json exact = run_json({"certify", data, "--level", "exact"});

    EXPECT_LE(found["lo"].get<double>(), found["value"].get<double>());
    EXPECT_GE(found["hi"].get<double>(), found["value"].get<double>());
    EXPECT_GT(found["lo"].get<double>(), 0.0);
    // σ_max/σ_min of H, λ = σ²; at full rank.
    const double condition = certified["condition"];
    EXPECT_GE(condition, 1.0);
    EXPECT_NEAR(condition * condition * found["value"].get<double>() /
                    certified["lambda_max"].get<double>(),
                1.0,
                30.0 * 0x1p-52);
    EXPECT_FALSE(exact.contains("lambda_min")) << "exact says only what is proved over Q";
}

TEST(Realisable, IsRefusedWhereTheLabelsContradictEachOther) {
    const TemporaryFolder folder;
    const std::string noisy = planted_layer(folder, "noisy.npz", "3");
    const std::string few = folder.file("few.npz");
    (void)run_json(
        {"generate", "random-linear-attention", "--d", "2", "-N", "4", "--n", "3", "-o", few});

    const json refused = run_json({"certify", noisy, "--realisable"}, 3);
    const json granted = run_json({"certify", few, "--realisable"}, 1);

    EXPECT_EQ(refused["labels"], "inconsistent");
    EXPECT_EQ(run_json({"certify", noisy, "--realisable", "--coverage", "--expressible"},
                       3)["not_answered"],
              "coverage, expressible");
    EXPECT_EQ(refused["verdict"], "undecided");
    EXPECT_EQ(granted["labels"], "consistent") << "four independent rows fit any labels";
    EXPECT_EQ(granted["verdict"], "not_determined");
}

TEST(Ood, EstimatesTheNoiseFromTheResiduals) {
    const TemporaryFolder folder;
    const std::string data = planted_layer(folder, "data.npz", "3");

    const json estimated = run_json({"certify", data, "--ood", data})["ood"];
    const double risk = run_json({"learn", data})["risk"];
    const json given = run_json({"certify", data, "--ood", data, "--noise", "0.1"})["ood"];

    // σ̂²/σ² is χ² over its degrees of freedom, of which the fit takes ψ an output.
    const Index degrees = Index{60 - 6} * 2;
    // The residuals' sum of squares over its degrees of freedom; both from factors of the data.
    EXPECT_NEAR(std::pow(estimated["sigma"].get<double>(), 2.0) * static_cast<double>(degrees) /
                    (risk * 60.0),
                1.0,
                30.0 * 60.0 * 0x1p-52);
    const double ratio = std::pow(estimated["sigma"].get<double>() / 0.1, 2.0);
    EXPECT_GT(ratio * static_cast<double>(degrees), chi_square_critical_below(degrees));
    EXPECT_LT(ratio * static_cast<double>(degrees), chi_square_critical(degrees));
    // tr(QᵀQ) of the orthonormal factor, whose departure from I is within the ratio bound 30·N·ε.
    EXPECT_LT(std::abs(given["trace"].get<double>() - 6.0), 30.0 * 60.0 * 0x1p-52)
        << "psi on the data themselves";
}

TEST(Suggest, CompletesDeficientData) {
    const TemporaryFolder folder;
    const std::string data = planted_layer(folder, "data.npz", "1");
    const std::string pool = planted_layer(folder, "pool.npz", "3");

    const json found = run_json({"certify", data, "--suggest", "3", "--pool", pool}, 1);

    EXPECT_EQ(found["rank"], 4);
    ASSERT_EQ(found["suggestions"].size(), 3U);
    for (std::size_t k = 0; k < 3; ++k) {
        const json& one = found["suggestions"][k];
        // Two complete the row space and leave it; the third lies inside, however far out.
        EXPECT_EQ(one["rank"], std::min<std::size_t>(5 + k, 6));
        EXPECT_EQ(one["outside"].get<double>() > 0.0, k < 2);
        EXPECT_LE(one["outside"].get<double>(), 1.0);
        EXPECT_EQ(one["lambda_min"].get<double>() > 0.0, k > 0);
    }
    EXPECT_GT(found["suggestions"][2]["leverage"].get<double>(), 1.0);
}

TEST(CertifyUsage, OptionsThatNeedTheExactLevelSaySo) {
    const TemporaryFolder folder;
    const std::string data = planted_layer(folder, "data.npz", "1");

    const RunResult run =
        run_attest({"certify", data, "--level", "numerical", "--witness", folder.file("w.npz")});

    EXPECT_EQ(run.code, 2);
    EXPECT_TRUE(one_line(run.err)) << run.err;
    EXPECT_EQ(run_attest({"certify", data, "--suggest", "2"}).code, 2);
}

using nlohmann::json;

TEST(CertifyUsage, OptionsThatWouldDecideNothingAreRefused) {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"certify", "x", "--noise", "1"},
             {"certify", "x", "--pool", "y"},
             {"certify", "x", "--confidence", "0.9"},
             {"learn", "x", "--normalised", "--solver", "svd"},
             {"probe", "--d", "2", "--width", "3", "-o", "q"},
             {"probe", "--read", "y", "--noise", "1", "-o", "q"}}) {
        const RunResult run = run_attest(words);
        EXPECT_EQ(run.code, 2) << words.front() << run.err;
        EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    }
}

TEST(Model, OfTheMinimiserMayDifferByNothingAndAnotherByMore) {
    const TemporaryFolder folder;
    const std::string data = planted_layer(folder, "data.npz", "3");
    const std::string model = folder.file("model.npz");
    const std::string ridge = folder.file("ridge.npz");
    (void)run_json({"learn", data, "-o", model});
    (void)run_json({"learn", data, "--ridge", "1", "-o", ridge});

    const json best = run_json({"certify", data, "--model", model, "--queries", data})["model"];
    const json certified = run_json({"certify", data, "--model", ridge, "--queries", data});
    const json& worse = certified["model"];

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
