#include "core/data/model_file.hpp"
#include "core/features/coefficients.hpp"
#include "tests/cli/head_models.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest::test {
namespace {

using nlohmann::json;

/// A bound of the coefficients' error that promises ten digits: ψ·u = 5e-15 times a condition below
/// 1e4, as Gaussian data with ten examples for an unknown have it.
constexpr double kUsefulBound = 1e-10;

/// Gaussian data of the acceptance example: d = 4, n = 16, N = 400, three planted heads.
std::string noiseless_data(const TemporaryFolder& folder) {
    std::string data = folder.file("data.npz");
    const RunResult run = run_attest(typed(
        "generate random-linear-attention --d 4 --n 16 --heads 3 -N 400 --seed 7 -o " + data));
    EXPECT_EQ(run.code, 0) << run.err;
    return data;
}

std::string single_token_data(const TemporaryFolder& folder, const std::string& d) {
    std::string data = folder.file("single" + d + ".npz");
    const RunResult run =
        run_attest({"generate", "iid-entries", "--d", d, "--n", "1", "-N", "300", "-o", data});
    EXPECT_EQ(run.code, 0) << run.err;
    return data;
}

TEST(AttestLearn, FitsAPlantedModelAndPredictsFreshSequences) {
    const TemporaryFolder folder;
    const std::string data = noiseless_data(folder);
    const std::string model = folder.file("model.npz");

    const RunResult learned = run_attest({"learn", data, "-o", model, "--json"});
    const RunResult predicted =
        run_attest({"predict", model, data, "-o", folder.file("out.npz"), "--json"});

    ASSERT_EQ(learned.code, 0) << learned.err;
    const json found = json_of(learned);
    EXPECT_EQ(found["status"], "unique");
    EXPECT_EQ(found["rank"], 40);
    EXPECT_EQ(found["solver"], found["attempts"].back()["solver"]);
    EXPECT_EQ(found["attempts"].back()["outcome"], "answered");
    EXPECT_GT(found["attempts"].back()["predicted_bytes"].get<double>(), 0.0);
    EXPECT_LT(found["error_bound"].get<double>(), kUsefulBound);
    EXPECT_LE(found["num_heads"], 16);
    EXPECT_LT(found["relative"].get<double>(), kFunctionBar * kFunctionBar);
    ASSERT_EQ(predicted.code, 0) << predicted.err;
    EXPECT_EQ(json_of(predicted)["relative"], found["relative"]);
}

TEST(AttestLearn, SaysThatFewExamplesGiveTheMinimumNormSolution) {
    const TemporaryFolder folder;
    const std::string data = folder.file("few.npz");
    ASSERT_EQ(
        run_attest({"generate", "random-linear-attention", "--d", "3", "-N", "5", "-o", data}).code,
        0);

    const RunResult run = run_attest({"learn", data});

    EXPECT_EQ(run.code, 0);
    EXPECT_SAYS(run.out, "minimum norm: many minimisers fit these data");
    EXPECT_SAYS(run.out, "N = 5 < psi = 18");
}

TEST(AttestLearn, GivesTheLeastOfTheNormThatIsAskedFor) {
    // Few examples: among the minimisers, each norm has its own least one.
    const TemporaryFolder folder;
    const std::string data = folder.file("few.npz");
    ASSERT_EQ(
        run_attest({"generate", "random-linear-attention", "--d", "2", "-N", "3", "-o", data}).code,
        0);
    const auto learned = [&](const std::string& norm) {
        const std::string model = folder.file(norm + ".npz");
        (void)run_json({"learn", data, "--norm", norm, "-o", model});
        return read_model(model).P;
    };
    const Matrix sym = learned("sym");
    const Matrix packed = learned("packed");

    EXPECT_LT(coefficient_norm(sym, 2, Norm::sym), coefficient_norm(packed, 2, Norm::sym));
    EXPECT_LT(coefficient_norm(packed, 2, Norm::packed), coefficient_norm(sym, 2, Norm::packed));
}

TEST(AttestCertify, ProvesThatGaussianDataDetermineTheFunction) {
    const TemporaryFolder folder;
    const std::string data = noiseless_data(folder);

    const RunResult proved = run_attest({"certify", data, "--json"});
    const RunResult seen = run_attest({"certify", data, "--level", "numerical", "--json"});

    EXPECT_EQ(proved.code, 0);
    EXPECT_EQ(json_of(proved)["verdict"], "determined");
    EXPECT_EQ(json_of(proved)["rank"], 40);
    EXPECT_EQ(seen.code, 0);
    EXPECT_EQ(json_of(seen)["verdict"], "numerically_full_rank");
    EXPECT_SAYS(run_attest({"certify", "--help"}).out, "proves nothing: exit 0 is what it sees");
    EXPECT_GT(json_of(seen)["lambda_min"]["value"], 0.0);
}

TEST(AttestCertify, ProvesTheNullityOfSingleTokenData) {
    const TemporaryFolder folder;
    for (const int d : {2, 3, 4, 8}) {
        const std::string data = single_token_data(folder, std::to_string(d));
        const int nullity = d * (d * d - 1) / 3;

        const RunResult seen = run_attest({"certify", data, "--level", "numerical", "--json"});
        const RunResult proved = run_attest({"certify", data, "--json"});

        EXPECT_EQ(seen.code, 3) << "floats cannot prove a deficiency";
        EXPECT_EQ(json_of(seen)["nullity"], nullity);
        EXPECT_EQ(proved.code, 1) << proved.err;
        EXPECT_EQ(json_of(proved)["nullity"], nullity);
        EXPECT_EQ(json_of(proved)["verdict"], "not_determined");
    }
}

TEST(AttestGenerate, GivesTheSameDataWhateverTheThreads) {
    const TemporaryFolder folder;
    const auto digest = [&](const std::string& threads) {
        const RunResult run =
            run_attest(typed("generate associative-memory --d 2 -N 300 --mixture 0.5 --threads " +
                             threads + " -o " + folder.file("t" + threads + ".npz") + " --json"));
        EXPECT_EQ(run.code, 0) << run.err;
        return json_of(run)["sha256"].get<std::string>();
    };

    EXPECT_EQ(digest("1"), digest("2"));
}

TEST(AttestDoctor, FindsTheBackendsHealthy) {
    const RunResult run = run_attest({"doctor", "--json"});

    EXPECT_EQ(run.code, 0) << run.out;
    EXPECT_EQ(json_of(run)["healthy"], true);
}

}  // namespace
}  // namespace attest::test
