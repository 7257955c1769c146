#include "tests/cli/run_attest.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace attest::test {

namespace {

constexpr std::size_t kWidestLine = 120;

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// The names that a help text lists as subcommands: two spaces, the name, more spaces.
std::vector<std::string> subcommands(const std::string& help) {
    std::vector<std::string> names;
    bool inside = false;
    for (const std::string& line : lines_of(help)) {
        if (inside && line.starts_with("  ") && line[2] != ' ') {
            names.push_back(line.substr(2, line.find(' ', 2) - 2));
        }
        inside = line == "Subcommands:" || (inside && !line.empty());
    }
    return names;
}

/// Expects that the help of this command and of those below it fits a screen and shows how to call
/// that very command. Returns how many commands there were.
int expect_readable_help(std::vector<std::string> words) {
    words.emplace_back("--help");
    const RunResult run = run_attest(words);
    words.pop_back();
    std::string path = "attest";
    for (const std::string& word : words) {
        path += " " + word;
    }
    EXPECT_EQ(run.code, 0) << path;
    for (const std::string& line : lines_of(run.out)) {
        EXPECT_LE(line.size(), kWidestLine) << path << ": " << line;
    }
    const std::size_t example = run.out.find("Example:\n");
    EXPECT_NE(example, std::string::npos) << path;
    EXPECT_NE(run.out.find("  " + path + " ", example), std::string::npos) << path;
    if (!words.empty()) {
        const std::size_t page = run.out.find("\nPage:\n  docs/");
        EXPECT_NE(page, std::string::npos) << path;
        const std::string file =
            run.out.substr(std::min(run.out.find("docs/", page), run.out.size()));
        EXPECT_TRUE(std::filesystem::exists(ATTEST_ROOT "/" + file.substr(0, file.find('\n'))))
            << path << ": " << file;
    }
    int count = 1;
    for (const std::string& name : subcommands(run.out)) {
        words.push_back(name);
        count += expect_readable_help(words);
        words.pop_back();
    }
    return count;
}

TEST(Help, OfEveryCommandFitsAScreenAndShowsAnExampleOfItsOwn) {
    EXPECT_GE(expect_readable_help({}), 25);
}

TEST(Version, SaysWhatWasBuiltAndWhatItRunsOn) {
    const std::vector<std::string> lines = lines_of(run_attest({"--version"}).out);

    ASSERT_EQ(lines.size(), 5U);
    EXPECT_TRUE(lines[0].starts_with("attest 1.")) << lines[0];
    EXPECT_TRUE(lines[1].starts_with("built from      ")) << lines[1];
    EXPECT_TRUE(lines[2].starts_with("compiler flags  ")) << lines[2];
    EXPECT_TRUE(lines[3].starts_with("linear algebra  ")) << lines[3];
    EXPECT_TRUE(lines[4].starts_with("libraries       boost 1.")) << lines[4];
}

TEST(Help, ListsTheNamesThatAnOptionTakes) {
    const auto lists = [](const std::vector<std::string>& words, const std::string& line) {
        return run_attest(words).out.find(line) != std::string::npos;
    };

    EXPECT_TRUE(lists({"learn", "--help"}, "\nSolvers:\n  gram64 "));
    EXPECT_TRUE(lists({"reproduce", "--help"}, "\nExperiments:\n  fig1 "));
    EXPECT_TRUE(lists({"program", "compile", "--help"}, "\nPrograms:\n  lookup "));
    EXPECT_TRUE(lists({"certify", "--help"}, "\nLevels:\n  auto "));
}

/// The complaint about a command line that ends in an option and its value.
std::string complaint(const std::vector<std::string>& arguments) {
    const RunResult run = run_attest(arguments);
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(one_line(run.err)) << run.err;
    return run.err;
}

TEST(OptionValues, OutOfRangeNameTheValueAndWhatIsExpected) {
    EXPECT_SAYS(complaint({"certify", "x", "--pool", "y", "--suggest", "0"}),
                "attest certify: --suggest: got '0'");
    EXPECT_SAYS(complaint({"heads", "x", "-o", "y", "--to", "0"}), "attest heads: --to: got '0'");
    EXPECT_SAYS(complaint({"bench", "--table", "--ratio", "0.5"}),
                "attest bench: --ratio: got '0.5'");
    const std::string nested = complaint({"softmax", "learn", "x", "--heads", "6"});
    EXPECT_SAYS(nested, "attest softmax: --heads: got '6'");
    EXPECT_SAYS(nested, "see attest softmax learn --help\n");
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

            EXPECT_SAYS(message, ": got '" + value + "', expected a");
            EXPECT_LE(message.size(), kLongest) << message;
        }
    }
}

}  // namespace

}  // namespace attest::test
