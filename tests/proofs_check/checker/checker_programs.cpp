#include "tests/proofs_check/checker/checker_programs.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

namespace attest::checker_test {

namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr bool kAddressSanitizer = true;  // it reserves terabytes of address space
#else
constexpr bool kAddressSanitizer = false;
#endif

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

using TemporaryFile = std::unique_ptr<std::FILE, CloseFile>;

void set_limit(decltype(RLIMIT_CPU) resource, rlim_t value) {
    const rlimit limit{value, value};
    setrlimit(resource, &limit);
}

[[noreturn]] void become(const std::vector<std::string>& command,
                         const Limits& limits,
                         int output,
                         int errors) {
    std::vector<char*> arguments;
    std::transform(
        command.begin(), command.end(), std::back_inserter(arguments), [](const std::string& word) {
            return const_cast<char*>(word.c_str());
        });
    arguments.push_back(nullptr);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    set_limit(RLIMIT_CPU, static_cast<rlim_t>(limits.seconds));
    set_limit(RLIMIT_CORE, 0);
    if (!kAddressSanitizer) {
        set_limit(RLIMIT_AS, static_cast<rlim_t>(limits.megabytes) * 1'000'000);
    }
    execvp(arguments[0], arguments.data());
    _exit(127);
}

std::string content(std::FILE* file) {
    std::rewind(file);
    std::string text;
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) {
        text += static_cast<char>(c);
    }
    return text;
}

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

Outcome run_limited(const std::vector<std::string>& command, const Limits& limits) {
    const TemporaryFile output(std::tmpfile());
    const TemporaryFile errors(std::tmpfile());
    const pid_t child = fork();
    if (child == 0) {
        become(command, limits, fileno(output.get()), fileno(errors.get()));
    }
    int status = 0;
    waitpid(child, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {code, content(output.get()), content(errors.get())};
}

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
