#include "core/data/dataset_file.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <functional>
#include <regex>

namespace attest::test {
namespace {

struct ExtremeFile {
    const char* name;
    std::function<void(Dataset&)> make;
};

void multiply(Matrix& A, double factor) {
    A *= factor;
}

/// What was done to a data set of grid normals with the labels of two heads.
std::vector<ExtremeFile> extreme_files() {
    return {
        {"tokens 1e100, labels 1e-300",
         [](Dataset& data) {
             multiply(data.tokens.own(), 1e100);
             multiply(data.y, 1e-300);
         }},
        {"tokens 1e-150", [](Dataset& data) { multiply(data.tokens.own(), 1e-150); }},
        {"tokens 1e100, labels 1e308",
         [](Dataset& data) {
             multiply(data.tokens.own(), 1e100);
             data.y = data.y.cwiseSign() * 1e308;
         }},
        {"tokens 1e200", [](Dataset& data) { multiply(data.tokens.own(), 1e200); }},
        {"labels 1e308", [](Dataset& data) { data.y = data.y.cwiseSign() * 1e308; }},
        {"labels denormal", [](Dataset& data) { multiply(data.y, 1e-310); }},
        {"each token its own power",
         [](Dataset& data) {
             for (Index t = 0; t < data.tokens.cols(); ++t) {
                 data.tokens.own().col(t) *=
                     std::ldexp(1.0, static_cast<int>((37 * t) % 1200) - 600);
             }
         }},
        {"each coordinate its own power",
         [](Dataset& data) {
             data.tokens.own().row(0) *= 0x1p90;
             data.tokens.own().row(1) *= 0x1p-90;
         }},
        {"a coordinate of multiples of a prime",
         [](Dataset& data) { data.tokens.own().row(0) *= 1024.0 * 2147483647.0; }},
        {"integers next to 2^53",
         [](Dataset& data) {
             data.tokens = data.tokens.view().array().round() + 9007199254740981.0;
         }},
        {"queries 1e-200",
         [](Dataset& data) {
             for (Index i = 0; i < data.num_sequences(); ++i) {
                 data.tokens.own().col(data.query_token(i)) *= 1e-200;
             }
         }},
    };
}

Dataset ordinary(Index num_sequences) {
    const Stream stream = Stream(5).child("extreme");
    return planted_dataset(
        normal_parameters(2, 2, 2, stream.child("theta")), num_sequences, 4, stream);
}

std::string written(const TemporaryFolder& folder, const Dataset& data, const std::string& name) {
    std::string path = folder.file(name);
    Dataset plain = data;
    plain.truth = {};
    write_dataset(path, plain);
    return path;
}

/// Holds, does not hold, undecided or bad input, in one line; a solver may refuse. No number that
/// is none: "leverage inf" alone means something, a query outside the row space.
void expect_answer_or_refusal(const RunResult& run, const std::string& what) {
    const bool solver_refuses = run.code == 5 && run.err.find(" refuses: ") != std::string::npos;
    EXPECT_TRUE(run.code == 0 || run.code == 1 || run.code == 3 || run.code == 4 || solver_refuses)
        << what << ": " << run.code << ", " << run.err;
    if (run.code >= 4) {
        EXPECT_TRUE(one_line(run.err)) << what << ": " << run.err;
        EXPECT_EQ(run.out, "") << what;
    }
    for (const char* word : {"LAPACK", "internal", "rejects its argument"}) {
        EXPECT_EQ(run.err.find(word), std::string::npos) << what << ": " << run.err;
    }
    // As a word: the random name of a folder may hold it.
    EXPECT_FALSE(std::regex_search(run.err, std::regex(R"(\bnan\b)"))) << what << ": " << run.err;
    const std::string out = std::regex_replace(run.out, std::regex("leverage inf"), "");
    EXPECT_FALSE(std::regex_search(out, std::regex(R"(\b(nan|inf)\b)"))) << what << ": " << out;
}

TEST(ExtremeData, EverySolverAnswersOrRefusesInOneLine) {
    for (const ExtremeFile& file : extreme_files()) {
        const TemporaryFolder folder;
        Dataset data = ordinary(20);
        file.make(data);
        const std::string path = written(folder, data, "data.npz");
        const std::string model = folder.file("model.npz");
        for (const std::string solver : {"auto",
                                         "svd",
                                         "gram64",
                                         "gram32",
                                         "kron",
                                         "tsqr",
                                         "normal",
                                         "literal",
                                         "reference"}) {
            const std::string what = std::string(file.name) + ", " + solver;
            const RunResult learnt = run_attest({"learn", path, "--solver", solver, "-o", model});
            expect_answer_or_refusal(learnt, what);
            expect_answer_or_refusal(
                run_attest({"learn", path, "--solver", solver, "--ridge", "1"}), what + ", ridge");
        }
        if (!std::filesystem::exists(model)) {
            continue;
        }
        expect_answer_or_refusal(run_attest({"predict", model, path}), file.name);
        expect_answer_or_refusal(
            run_attest({"heads", model, "--to", "1", "-o", folder.file("one.npz")}), file.name);
        expect_answer_or_refusal(
            run_attest({"learn", path, "--heads", "1", "-o", folder.file("one.npz")}), file.name);
    }
}

TEST(ExtremeData, EveryLevelAndOptionOfCertifyAnswersOrRefusesInOneLine) {
    for (const ExtremeFile& file : extreme_files()) {
        const TemporaryFolder folder;
        Dataset data = ordinary(20);
        file.make(data);
        const std::string path = written(folder, data, "data.npz");
        const std::string few = written(folder, subset(data, 0, 4), "few.npz");
        const std::string plain = written(folder, ordinary(5), "plain.npz");
        const std::string model = folder.file("model.npz");
        ASSERT_EQ(run_attest({"learn", plain, "-o", model}).code, 0);
        for (const std::string level : {"auto", "numerical", "rigorous", "exact"}) {
            expect_answer_or_refusal(run_attest({"certify", path, "--level", level}),
                                     std::string(file.name) + ", " + level);
        }
        using Options = std::vector<std::string>;
        for (const Options& options : {Options{"--queries", plain},
                                       Options{"--queries", few, "--noise", "0.1"},
                                       Options{"--witness", folder.file("w.npz")},
                                       Options{"--model", model, "--queries", few},
                                       Options{"--ood", plain, "--noise", "1"},
                                       Options{"--suggest", "2", "--pool", plain}}) {
            for (const std::string& what : {path, few}) {
                Options arguments{"certify", what};
                arguments.insert(arguments.end(), options.begin(), options.end());
                expect_answer_or_refusal(run_attest(arguments),
                                         std::string(file.name) + ", " + options.front());
            }
        }
        const std::string proof = folder.file("proof.cert");
        if (run_attest({"certify", path, "--level", "exact", "--proof", proof}).code <= 1 &&
            std::filesystem::exists(proof)) {
            EXPECT_EQ(run_attest({"check", proof, path}).code, 0) << file.name;
        }
    }
}

TEST(ExtremeData, TheRefusalNamesTheCoefficientsAndHowToMendThem) {
    const TemporaryFolder folder;
    Dataset data = ordinary(20);
    multiply(data.tokens.own(), 1e100);
    multiply(data.y, 1e-300);

    const RunResult run = run_attest({"learn", written(folder, data, "data.npz")});

    EXPECT_EQ(run.code, 4) << run.err;
    EXPECT_SAYS(run.err, "vanish below the least double, 2^-1074: divide the tokens by 2^");
}

TEST(ExtremeData, OtherLayersLearnNoZerosFromNumbersThatVanishOrOverflow) {
    const TemporaryFolder folder;
    Dataset vanishing = ordinary(60);
    multiply(vanishing.y, 1e-170);
    Dataset overflowing = ordinary(60);
    multiply(overflowing.tokens.own(), 1e110);
    for (const Dataset& data : {vanishing, overflowing}) {
        const RunResult run =
            run_attest({"learn", written(folder, data, "data.npz"), "--layer", "decay=1,1/2"});
        EXPECT_EQ(run.code, 4) << run.out;
        EXPECT_TRUE(one_line(run.err)) << run.err;
        EXPECT_SAYS(run.err, "of two");
    }
}

TEST(ExtremeData, FeaturesBeyondTheDoublesLeaveTheProofAlone) {
    const TemporaryFolder folder;
    Dataset data = ordinary(60);
    multiply(data.tokens.own(), 1e110);
    const std::string path = written(folder, data, "data.npz");
    const std::string proof = folder.file("data.cert");

    const nlohmann::json found =
        run_json({"certify", path, "--layer", "decay=1,1/2", "--proof", proof});

    EXPECT_EQ(found["verdict"], "determined");
    EXPECT_EQ(run_json({"check", proof, path})["verdict"], "verified");
}

TEST(ExtremeData, AnErrorBoundThatPresumesTheNumericalRankIsNotCalledErrorBound) {
    const TemporaryFolder folder;
    Dataset data = ordinary(4);
    data.tokens.own().col(4) = data.tokens.col(0);
    for (Index t = 4; t < 8; ++t) {
        data.tokens.own().col(t) = data.tokens.col(t - 4);  // two equal examples of four
    }
    const std::string path = written(folder, data, "data.npz");

    const nlohmann::json report = run_json({"learn", path, "--solver", "svd"});

    EXPECT_EQ(report["status"], "minimum_norm_at_numerical_rank");
    EXPECT_TRUE(report["error_bound"].is_null());
    EXPECT_TRUE(report["error_bound_at_numerical_rank"].is_number());
    EXPECT_SAYS(run_attest({"learn", path, "--solver", "svd"}).out, "if the rank is the true one");
}

TEST(ExtremeData, ACoordinateOfMultiplesOfAPrimeIsLearnt) {
    const TemporaryFolder folder;
    Dataset data = ordinary(20);
    data.tokens.own().row(0) *= 1024.0 * 2147483647.0;

    const nlohmann::json report =
        run_json({"learn", written(folder, data, "data.npz"), "--solver", "svd"});

    EXPECT_EQ(report["status"], "unique");
    EXPECT_EQ(report["rank"], 6);
    EXPECT_EQ(report["coordinate_exponents"].size(), 2U);
    EXPECT_TRUE(report["scaled_error_bound"].is_number());
}

}  // namespace
}  // namespace attest::test
