#include "core/data/archive/npz.hpp"
#include "core/softmax/diagnostics.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/core/softmax/planted.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest::test {
namespace {

using nlohmann::json;

/// The least singular value of a singular 6×6 matrix as a backward stable routine sees it, relative
/// to the largest: below 30 times the rounding of d² operations.
constexpr double kRoundedZero = 30.0 * 36.0 * 0x1p-53;

/// The heads of a file, keys Theta and W (m,d,d) after the prefix, d = 4.
SoftmaxHeads heads_of(const std::string& path, const std::string& prefix) {
    const NpzReader file = NpzReader::open(path);
    const NpyArray Theta = file.read(prefix + "Theta");
    const NpyArray W = file.read(prefix + "W");
    EXPECT_EQ(Theta.shape, (std::vector<Index>{2, 4, 4}));
    EXPECT_EQ(W.shape, Theta.shape);
    const auto matrix = [](const NpyArray& array, std::size_t h) {
        return Matrix(Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(
            array.data.data() + 16 * h));
    };
    return {{matrix(Theta, 0), matrix(W, 0)}, {matrix(Theta, 1), matrix(W, 1)}};
}

std::string generated(const TemporaryFolder& folder, const std::vector<std::string>& options) {
    std::string data = folder.file("layer.npz");
    std::vector<std::string> arguments{"softmax", "generate", "-o", data, "--seed", "3"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const RunResult run = run_attest(arguments);
    EXPECT_EQ(run.code, 0) << run.err;
    return data;
}

TEST(AttestSoftmax, LearnsAPlantedLayerAndSaysWhatEachPhaseFound) {
    const TemporaryFolder folder;
    const std::string data = generated(folder, {"--d", "4", "-N", "12000"});

    const RunResult run = run_attest(
        {"softmax", "learn", data, "--heads", "2", "-o", folder.file("model.npz"), "--json"});

    ASSERT_EQ(run.code, 0) << run.err;
    const json found = json_of(run);
    EXPECT_EQ(found["outcome"], "recovered");
    EXPECT_LT(found["net_error"].get<double>(), 0.03);
    EXPECT_LT(found["parameter_error"].get<double>(), kPolishedHeads);
    EXPECT_LT(found["refined_sum_error"].get<double>(), found["crude_sum_error"].get<double>());
    EXPECT_EQ(found["candidates"].size(), 4U);
    const SoftmaxHeads planted = heads_of(data, "truth_");
    EXPECT_LT(recovery_error(heads_of(folder.file("model.npz"), ""), planted).worst(),
              kPolishedHeads);
}

TEST(AttestSoftmax, FindsTheNumberOfHeadsThatWerePlanted) {
    const TemporaryFolder folder;
    for (const char* count : {"12000", "40000"}) {
        const std::string data = generated(folder, {"--d", "4", "-N", count});

        const json found = json_of(run_attest({"softmax", "learn", data, "--json"}));

        EXPECT_EQ(found["heads"], 2);
        EXPECT_EQ(found["planted_heads"], 2);
        EXPECT_EQ(found["outcome"], "recovered");
        EXPECT_LT(found["parameter_error"].get<double>(), kPolishedHeads);
    }
}

TEST(AttestSoftmax, LearnsFromTheExamplesThatAreNotHeldOut) {
    const TemporaryFolder folder;
    const std::string data = generated(folder, {"--d", "4", "-N", "20"});
    const auto used = [&](const std::vector<std::string>& options) {
        std::vector<std::string> arguments{
            "softmax", "learn", data, "--heads", "1", "--no-polish", "--json"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return json_of(run_attest(arguments))["num_examples"];
    };

    EXPECT_EQ(used({}), 16) << "a fifth is held out";
    EXPECT_EQ(used({"--held-out", "7"}), 13);
}

TEST(AttestSoftmax, NeverCallsAnotherNumberOfHeadsRecovered) {
    const TemporaryFolder folder;
    const std::string data = generated(folder, {"--d", "4", "-N", "12000"});

    for (const char* heads : {"1", "3"}) {
        const RunResult run = run_attest({"softmax", "learn", data, "--heads", heads, "--json"});

        const std::string outcome = json_of(run)["outcome"];
        EXPECT_EQ(outcome.find("recovered"), std::string::npos) << heads << ": " << outcome;
    }
    const RunResult three = run_attest({"softmax", "learn", data, "--heads", "3"});
    EXPECT_SAYS(three.err, "redundant_head: the labels come from fewer heads");
}

TEST(AttestSoftmax, StopsWithoutThePolishWhenAsked) {
    const TemporaryFolder folder;
    const std::string data = generated(folder, {"--d", "4", "-N", "12000"});

    const RunResult run =
        run_attest({"softmax", "learn", data, "--heads", "2", "--no-polish", "--json"});

    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(json_of(run)["outcome"], "predicts");
    EXPECT_FALSE(json_of(run).contains("polish_iterations"));
}

TEST(AttestSoftmax, ExitsWithThreeAndOneLineANoticeWhenThePhasesFail) {
    const TemporaryFolder folder;
    const std::string data = generated(folder, {"--d", "4", "--k", "4", "-N", "300"});

    const RunResult run = run_attest({"softmax", "learn", data, "--heads", "2", "--json"});

    EXPECT_EQ(run.code, 3);
    EXPECT_SAYS(run.err, "attest softmax learn: rows_not_injective: d < m(k-1)");
    EXPECT_NE(json_of(run)["outcome"], "recovered");
}

TEST(AttestSoftmax, DiagnosesPlantedHeads) {
    const TemporaryFolder folder;
    const std::string data =
        generated(folder, {"--value", "singular", "--law", "boolean", "-N", "4000"});

    const RunResult run = run_attest({"softmax", "diagnose", data, "--json"});

    ASSERT_EQ(run.code, 0) << run.err;
    const json found = json_of(run);
    EXPECT_EQ(found["heads"], 2);
    EXPECT_LT(found["sum_sigma"].get<double>(), kRoundedZero);
    EXPECT_EQ(found["rows_injective"], true);
    EXPECT_EQ(found["rows"], 8000);
    EXPECT_GE(found["agreeing_rows"]["0.1"], found["agreeing_rows"]["0.01"]);
}

TEST(AttestSoftmax, DescribesDataWithoutHeads) {
    const TemporaryFolder folder;
    const std::string data = folder.file("plain.npz");
    ASSERT_EQ(run_attest({"generate", "softmax-attention", "-N", "50", "-o", data}).code, 0);

    const RunResult run = run_attest({"softmax", "diagnose", data});

    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_SAYS(run.out, "The file names no heads");
}

TEST(AttestSoftmax, RefusesDataThatIsNoSoftmaxLayer) {
    const TemporaryFolder folder;
    const std::string linear = folder.file("linear.npz");
    ASSERT_EQ(run_attest({"generate", "random-linear-attention", "-N", "5", "-o", linear}).code, 0);

    const RunResult run = run_attest({"softmax", "learn", linear});
    const RunResult absent = run_attest({"softmax", "learn", folder.file("absent.npz")});
    const RunResult greedy =
        run_attest({"softmax", "learn", generated(folder, {"-N", "20"}), "--held-out", "20"});

    EXPECT_EQ(run.code, 4);
    EXPECT_TRUE(one_line(run.err)) << run.err;
    EXPECT_SAYS(run.err, "expected y with k*d = 64 entries for each sequence");
    EXPECT_EQ(absent.code, 4);
    EXPECT_EQ(greedy.code, 4);
    EXPECT_SAYS(greedy.err, "got 20 examples and 20 to hold out");
    EXPECT_EQ(run_attest({"softmax"}).code, 2);
    EXPECT_EQ(run_attest({"softmax", "generate", "--theta", "round", "-o", linear}).code, 2);
}

}  // namespace
}  // namespace attest::test
