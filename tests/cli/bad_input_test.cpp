#include "tests/cli/run_attest.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace attest::test {
namespace {

/// One line on standard error that starts with the command, the exit code, and nothing on standard
/// output.
void expect_complaint(const RunResult& run, int code, const std::string& start) {
    EXPECT_EQ(run.code, code) << run.err;
    EXPECT_TRUE(one_line(run.err)) << run.err;
    EXPECT_EQ(run.err.rfind(start, 0), 0U) << run.err;
    EXPECT_EQ(run.out, "");
}

std::string small_data(const TemporaryFolder& folder) {
    std::string data = folder.file("data.npz");
    EXPECT_EQ(
        run_attest(
            {"generate", "random-linear-attention", "--d", "2", "--n", "3", "-N", "20", "-o", data})
            .code,
        0);
    return data;
}

TEST(BadUsage, WhatACommandWritesIsNoneOfTheFilesThatItReads) {
    const TemporaryFolder folder;
    const std::string data = small_data(folder);
    const std::string model = folder.file("model.npz");
    ASSERT_EQ(run_attest({"learn", data, "-o", model}).code, 0);
    const auto size = std::filesystem::file_size(data);

    expect_complaint(run_attest({"learn", data, "-o", data}), 2, "attest learn: --output: ");
    expect_complaint(run_attest({"predict", model, data, "-o", folder.file("./data.npz")}),
                     2,
                     "attest predict: ");
    expect_complaint(run_attest({"predict", model, data, "-o", model}), 2, "attest predict: ");
    expect_complaint(run_attest({"certify", data, "--proof", data}), 2, "attest certify: ");
    const std::string other = folder.file("w-a.npz");
    std::filesystem::copy_file(data, other);
    expect_complaint(run_attest({"certify", other, "--witness", folder.file("w")}),
                     2,
                     "attest certify: --witness: ");
    expect_complaint(
        run_attest({"express", "parity", "-o", model, "--model", model}), 2, "attest express: ");
    expect_complaint(run_attest({"verify", "--errata", data, data}), 2, "attest verify: ");
    expect_complaint(
        run_attest({"compare", data, model, "--markdown", data}), 2, "attest compare: ");
    EXPECT_EQ(std::filesystem::file_size(other), size);
    EXPECT_EQ(std::filesystem::file_size(data), size);
}

TEST(BadUsage, UnknownNamesExitWithTwo) {
    const TemporaryFolder folder;
    const std::string data = small_data(folder);

    expect_complaint(run_attest({}), 2, "attest: ");
    expect_complaint(
        run_attest({"lern"}), 2, "attest: command: got 'lern', expected one of generate, ");
    expect_complaint(run_attest({"learn"}), 2, "attest learn: ");
    expect_complaint(
        run_attest({"learn", data, "--solver", "magic"}), 2, "attest learn: solver: got 'magic'");
    expect_complaint(
        run_attest({"learn", data, "--norm", "max"}), 2, "attest learn: norm: got 'max'");
    expect_complaint(run_attest({"learn", data, "--ridge", "-1"}), 2, "attest learn: ");
    expect_complaint(run_attest({"certify", data, "--level", "magic"}), 2, "attest certify: ");
    expect_complaint(run_attest({"generate", "magic", "-o", "x.npz"}),
                     2,
                     "attest generate: command: got 'magic'");
    expect_complaint(
        run_attest({"generate", "iid-entries", "--law", "magic", "-o", folder.file("x.npz")}),
        2,
        "attest generate: ");
    expect_complaint(run_attest({"reproduce", "fig99", "--out", folder.file("r")}),
                     2,
                     "attest reproduce: experiment: got 'fig99'");
    EXPECT_FALSE(std::filesystem::exists(folder.file("x.npz")));
    EXPECT_FALSE(std::filesystem::exists(folder.file("r")));
}

TEST(BadInput, AbsentAndMalformedFilesExitWithFour) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("text.npz")) << "hello";
    const std::ofstream empty(folder.file("empty.npz"));

    for (const std::string command : {"learn", "certify"}) {
        expect_complaint(
            run_attest({command, folder.file("absent.npz")}), 4, "attest " + command + ": ");
        expect_complaint(
            run_attest({command, folder.file("text.npz")}), 4, "attest " + command + ": ");
        expect_complaint(
            run_attest({command, folder.file("empty.npz")}), 4, "attest " + command + ": ");
    }
}

TEST(BadInput, ATruncatedFileExitsWithFourAndLeavesNoModel) {
    const TemporaryFolder folder;
    const std::string data = small_data(folder);
    std::filesystem::resize_file(data, std::filesystem::file_size(data) - 40);

    expect_complaint(
        run_attest({"learn", data, "-o", folder.file("model.npz")}), 4, "attest learn: ");
    EXPECT_FALSE(std::filesystem::exists(folder.file("model.npz")));
}

TEST(BadInput, AModelOfAnotherDimensionIsRefused) {
    const TemporaryFolder folder;
    const std::string data = small_data(folder);
    const std::string other = folder.file("other.npz");
    const std::string model = folder.file("model.npz");
    ASSERT_EQ(
        run_attest({"generate", "random-linear-attention", "--d", "3", "-N", "40", "-o", other})
            .code,
        0);
    ASSERT_EQ(run_attest({"learn", other, "-o", model}).code, 0);

    expect_complaint(
        run_attest({"predict", model, data}), 4, "attest predict: " + data + ": tokens have 2");
}

TEST(BadUsage, OfTheNumberOfHeadsExitsWithTwoOrFour) {
    const TemporaryFolder folder;
    const std::string data = small_data(folder);
    const std::string model = folder.file("model.npz");
    const std::string out = folder.file("out.npz");
    ASSERT_EQ(run_attest({"learn", data, "-o", model}).code, 0);

    for (const std::string count : {"0", "-1", "x", "1.5"}) {
        expect_complaint(
            run_attest({"heads", model, "--to", count, "-o", out}), 2, "attest heads: ");
        expect_complaint(
            run_attest({"learn", data, "--heads", count, "-o", out}),
            2,
            "attest learn: heads: got '" + count + "', expected svd, min, elbow or a number");
    }
    for (const std::string budget : {"-1", "nan", "x"}) {
        expect_complaint(
            run_attest({"heads", model, "--budget", budget, "-o", out}), 2, "attest heads: ");
    }
    expect_complaint(run_attest({"heads", model}), 2, "attest heads: ");
    expect_complaint(
        run_attest({"heads", model, "--min", "--to", "2", "-o", out}), 2, "attest heads: ");
    expect_complaint(run_attest({"heads", model, "--starts", "0", "-o", out}), 2, "attest heads: ");
    expect_complaint(run_attest({"heads", model, "--to", "5", "-o", out}),
                     4,
                     "attest heads: got 5 heads, expected 1 to 4");
    expect_complaint(run_attest({"learn", data, "--heads", "5", "-o", out}),
                     4,
                     "attest learn: got 5 heads, expected 1 to 4");
    EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(BadInput, AFileThatIsNoModelIsRefused) {
    const TemporaryFolder folder;
    const std::string data = small_data(folder);
    const std::string model = folder.file("model.npz");
    const std::string other = folder.file("other.npz");
    const std::string out = folder.file("out.npz");
    ASSERT_EQ(run_attest({"learn", data, "-o", model}).code, 0);
    ASSERT_EQ(run_attest({"generate", "iid-entries", "--d", "3", "-N", "40", "-o", other}).code, 0);

    expect_complaint(run_attest({"heads", data, "-o", out}),
                     4,
                     "attest heads: " + data + ": holds neither P nor V and Q");
    expect_complaint(
        run_attest({"heads", folder.file("absent.npz"), "-o", out}), 4, "attest heads: ");
    expect_complaint(run_attest({"heads", model, "--data", other, "-o", out}),
                     4,
                     "attest heads: " + other + ": tokens have 3");
    expect_complaint(
        run_attest({"heads", model, "--data", model, "-o", out}), 4, "attest heads: " + model);
    EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(BadEnvironment, AnOutputThatCannotBeWrittenExitsWithFive) {
    const TemporaryFolder folder;
    const std::string data = small_data(folder);

    expect_complaint(run_attest({"learn", data, "-o", data + "/model.npz"}), 5, "attest learn: ");
    expect_complaint(run_attest({"learn", data, "-o", "/dev/full"}), 5, "attest learn: ");
    expect_complaint(run_attest({"reproduce", "fig2", "--out", data}), 5, "attest reproduce: ");
}

}  // namespace
}  // namespace attest::test
