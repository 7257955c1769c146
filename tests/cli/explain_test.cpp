#include "core/data/dataset_file.hpp"
#include "tests/cli/run_attest.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>

namespace attest::test {
namespace {

using nlohmann::json;

/// Sequences of three tokens, coordinates 1 and 2 one-hot, coordinate 3 from −2 to 2.
std::string one_hot_file(const TemporaryFolder& folder, Index count) {
    Dataset data;
    data.tokens.own().resize(3, 3 * count);
    std::uint32_t state = 1;
    const auto below = [&](std::uint32_t n) {
        state = state * 1664525U + 1013904223U;
        return static_cast<double>((state >> 16U) % n);
    };
    for (Index t = 0; t < data.tokens.cols(); ++t) {
        const double hot = below(2);
        data.tokens.own().col(t) << hot, 1.0 - hot, below(5) - 2.0;
    }
    for (Index i = 0; i <= count; ++i) {
        data.offsets.push_back(3 * i);
    }
    std::string path = folder.file("one_hot.npz");
    write_dataset(path, data);
    return path;
}

TEST(AttestExplain, NamesRelationsTheirCauseAndWhatBreaksThem) {
    const TemporaryFolder folder;
    const std::string data = one_hot_file(folder, 200);

    const RunResult run = run_attest({"certify", data, "--explain"});
    EXPECT_EQ(run.code, 1) << run.err;
    for (const std::string line :
         {"coordinates 1 and 2 are one-hot",
          "S_12 = 0, times any entry of u",
          "because coordinates 1 and 2 are one-hot",
          "broken by a token in which coordinates 1 and 2 are both nonzero"}) {
        EXPECT_SAYS(run.out, line) << line << "\n" << run.out;
    }

    const json found = json_of(run_attest({"certify", data, "--explain", "--json"}));
    const json& explanation = found["explanation"];
    EXPECT_EQ(explanation["nullity_at_most"], found["nullity"]);
    EXPECT_EQ(explanation["not_listed"], 0);
    EXPECT_EQ(explanation["classes"][0]["cause"], "one_hot");
    EXPECT_EQ(explanation["classes"][0]["coordinates"], json({1, 2}));
}

TEST(AttestExplain, SaysThatThereIsNothingToExplain) {
    const TemporaryFolder folder;
    const std::string data = folder.file("data.npz");
    ASSERT_EQ(run_attest({"generate", "random-linear-attention", "-N", "200", "-o", data}).code, 0);
    const RunResult run = run_attest({"certify", data, "--explain"});
    EXPECT_EQ(run.code, 0);
    EXPECT_SAYS(run.out, "nothing: the features are of full rank");
}

TEST(AttestExplain, SaysFirstThatExamplesAreTooFew) {
    const TemporaryFolder folder;
    const std::string data = folder.file("data.npz");
    ASSERT_EQ(
        run_attest({"generate", "random-linear-attention", "--d", "3", "-N", "7", "-o", data}).code,
        0);
    const RunResult run = run_attest({"certify", data, "--explain"});
    EXPECT_EQ(run.code, 1);
    EXPECT_SAYS(run.out,
                "too few examples: 7 distinct of 7, psi = 18; any data of so few have 11 "
                "null vectors at least");
}

TEST(AttestExplain, NeedsAnExactLevel) {
    const RunResult run = run_attest({"certify", "x.npz", "--explain", "--level", "numerical"});
    EXPECT_EQ(run.code, 2);
    EXPECT_SAYS(run.err, "got explain, which only level auto or exact answers");
}

}  // namespace
}  // namespace attest::test
