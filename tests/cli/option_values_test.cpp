#include "tests/cli/run_attest.hpp"

#include <gtest/gtest.h>

namespace attest::test {
namespace {

/// The complaint about a command line that ends in an option and its value.
std::string complaint(const std::vector<std::string>& arguments) {
    const RunResult run = run_attest(arguments);
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(one_line(run.err)) << run.err;
    return run.err;
}

TEST(OptionValues, OutOfRangeNameTheValueAndWhatIsExpected) {
    EXPECT_EQ(
        complaint({"certify", "x", "--pool", "y", "--suggest", "0"}),
        "attest certify: --suggest: got '0', expected an integer from 1 to 1000000; see attest "
        "certify --help\n");
    EXPECT_EQ(
        complaint({"heads", "x", "-o", "y", "--to", "0"}),
        "attest heads: --to: got '0', expected an integer from 1 to 1000000; see attest heads "
        "--help\n");
    EXPECT_EQ(
        complaint({"bench", "--table", "--ratio", "0.5"}),
        "attest bench: --ratio: got '0.5', expected a number from 1 to 10000; see attest bench "
        "--help\n");
    EXPECT_EQ(complaint({"softmax", "learn", "x", "--heads", "6"}),
              "attest softmax: --heads: got '6', expected an integer from 0 to 5; see attest "
              "softmax learn --help\n");
}

TEST(OptionValues, ThatAreNoNumbersAreRefusedWithOneShortLine) {
    constexpr std::size_t kLongest = 160;
    const std::vector<std::vector<std::string>> options{
        {"learn", "x", "--ridge"},
        {"learn", "x", "--budget"},
        {"learn", "x", "--starts"},
        {"learn", "x", "--threads"},
        {"learn", "x", "--seed"},
        {"certify", "x", "--noise"},
        {"certify", "x", "--pool", "y", "--suggest"},
        {"heads", "x", "-o", "y", "--to"},
        {"softmax", "learn", "x", "--largest-norm"},
        {"softmax", "learn", "x", "--most-tuples"},
        {"turing", "run", "bb2", "--steps"},
        {"turing", "exhaust", "--states"},
        {"generate", "iid-entries", "-o", "x", "-N"},
    };
    for (const std::vector<std::string>& option : options) {
        for (const std::string value : {"-1", "nan", "inf", "x", "", "1,5", "1e999"}) {
            std::vector<std::string> arguments = option;
            arguments.push_back(value);

            const std::string message = complaint(arguments);

            EXPECT_NE(message.find(": got '" + value + "', expected a"), std::string::npos)
                << message;
            EXPECT_LE(message.size(), kLongest) << message;
        }
    }
}

}  // namespace
}  // namespace attest::test
