#include "core/algebra/lapack.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest::test {
namespace {

using nlohmann::json;

TEST(AttestBench, TimesASolverOnAFile) {
    const TemporaryFolder folder;
    const std::string data = folder.file("data.npz");
    ASSERT_EQ(
        run_attest({"generate", "random-linear-attention", "--d", "3", "-N", "90", "-o", data})
            .code,
        0);

    const RunResult run = run_attest({"bench", data, "--solver", "svd", "--json"});

    ASSERT_EQ(run.code, 0) << run.err;
    const json found = json_of(run);
    EXPECT_EQ(found["note"], "svd");
    EXPECT_GT(found["cpu_seconds"].get<double>(), 0.0);
    EXPECT_GT(found["peak_rss_bytes"].get<double>(), 1e6);
}

TEST(AttestBench, TimesASolverOnAnotherLayer) {
    const TemporaryFolder folder;
    const std::string data = folder.file("data.npz");
    const std::string layer = "decay=1,1/2";
    ASSERT_EQ(
        run_attest({"generate", "random-layer", "--layer", layer, "-N", "200", "-o", data}).code,
        0);
    const json found = run_json({"bench", data, "--layer", layer, "--solver", "svd"});
    EXPECT_LT(found["relative_error"].get<double>(), 1e-11);
    const RunResult other = run_attest({"bench", "--table", "--layer", layer});
    EXPECT_EQ(other.code, 2) << "generated data are of the paper's layer";
}

TEST(AttestBench, ComparesContendersOnTheSameData) {
    const RunResult run =
        run_attest({"bench", "--table", "--d", "3", "--contenders", "tsqr", "svd", "--json"});

    ASSERT_EQ(run.code, 0) << run.err;
    const json found = json_of(run);
    EXPECT_EQ(found["psi"], 18);
    EXPECT_EQ(found["num_examples"], 72);
    ASSERT_EQ(found["contenders"].size(), 2U);
    EXPECT_EQ(found["contenders"][0]["contender"], "tsqr");
}

TEST(AttestBenchOfAnotherBlas, RunsAContenderWithAnotherBlasAlone) {
    const RunResult run =
        run_attest({"bench", "--table", "--d", "3", "--contenders", "tsqr@reference", "--json"});

    ASSERT_EQ(run.code, 0) << run.err;
    const json found = json::parse(run.out)["contenders"];
    if (found.empty()) {
        EXPECT_SAYS(run.err, "is not installed");
        GTEST_SKIP() << "the reference BLAS is not installed";
    }
    if (lapack_info().backend != "lapacke") {
        EXPECT_EQ(found[0]["blas"], "") << "this build calls no BLAS";
        return;
    }
    EXPECT_EQ(found[0]["blas"], "blas") << "the folder of Debian's reference BLAS, and no other";
    EXPECT_EQ(run_attest({"bench", "--table", "--d", "3", "--contenders", "tsqr@mkl"}).code, 2);
}

TEST(AttestBench, HoldsSolversAgainstTheirBounds) {
    const RunResult run = run_attest(
        {"bench", "--bounds", "--fits", "60", "--contenders", "kron", "svd", "tsqr", "--json"});

    ASSERT_EQ(run.code, 0) << run.err;
    const json found = json_of(run);
    EXPECT_EQ(found["fits"], 60);
    EXPECT_EQ(found["beyond"], 0);
    ASSERT_EQ(found["solvers"].size(), 3U);
    EXPECT_EQ(found["solvers"][0]["solver"], "kron");
    EXPECT_EQ(found["blas_core"], lapack_info().core);
    EXPECT_EQ(run_attest({"bench", "--bounds", "--table"}).code, 2);
    EXPECT_EQ(run_attest({"bench", "--table", "--fits", "9"}).code, 2);
    EXPECT_EQ(run_attest({"bench", "--bounds", "--contenders", "magic"}).code, 2);
}

TEST(AttestBench, AsksForDataOrATableAndForATruth) {
    const TemporaryFolder folder;
    const std::string data = folder.file("data.npz");
    ASSERT_EQ(run_attest({"generate", "iid-entries", "--d", "2", "-N", "9", "-o", data}).code, 0);

    EXPECT_EQ(run_attest({"bench"}).code, 2);
    EXPECT_EQ(run_attest({"bench", data, "--table"}).code, 2);
    EXPECT_EQ(run_attest({"bench", data, "--solver", "nothing"}).code, 2);
    const RunResult run = run_attest({"bench", data});
    EXPECT_EQ(run.code, 4) << "no labels and no truth in these data";
    EXPECT_TRUE(one_line(run.err)) << run.err;
}

}  // namespace
}  // namespace attest::test
