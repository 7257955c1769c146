#include "tests/proofs_check/checker/checker_programs.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace attest::checker_test {

using test::TemporaryFolder;

std::string verdict_of(int code, const std::string& line) {
    const std::string start = std::to_string(code);
    const std::size_t end = line.find_first_of(":\n", 9);
    return code > 1 ? start : start + " " + line.substr(0, end);
}

std::string attest_check(const Case& files, const Limits& limits) {
    Case command{ATTEST_CHECK_PROGRAM};
    command.insert(command.end(), files.begin(), files.end());
    const Outcome outcome = run_limited(command, limits);
    return verdict_of(outcome.code, outcome.output);
}

Outcome python_check(const std::vector<std::string>& arguments, const Limits& limits) {
    std::vector<std::string> command{ATTEST_PYTHON, "-B", ATTEST_CHECK_CERTIFICATE};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run_limited(command, limits);
}

namespace {

std::vector<std::string> python_verdicts(const TemporaryFolder& folder,
                                         const std::vector<Case>& cases) {
    std::ofstream list(folder.file("list"));
    for (const Case& files : cases) {
        for (std::size_t i = 0; i < files.size(); ++i) {
            list << (i == 0 ? "" : "\t") << files[i];
        }
        list << '\n';
    }
    list.close();
    const Outcome outcome = python_check({"--batch", folder.file("list")});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_EQ(outcome.errors, "");
    std::vector<std::string> verdicts;
    std::istringstream lines(outcome.output);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t space = line.find(' ');
        verdicts.push_back(verdict_of(std::stoi(line.substr(0, space)), line.substr(space + 1)));
    }
    return verdicts;
}

}  // namespace

std::vector<std::string> agreed(const TemporaryFolder& folder, const std::vector<Case>& cases) {
    std::vector<std::string> verdicts = python_verdicts(folder, cases);
    EXPECT_EQ(verdicts.size(), cases.size());
    verdicts.resize(cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
        EXPECT_EQ(verdicts[i], attest_check(cases[i])) << testing::PrintToString(cases[i]);
    }
    return verdicts;
}

}  // namespace attest::checker_test
