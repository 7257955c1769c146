#include "tests/cli/run_attest.hpp"

#include "core/base/error.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace attest::test {

namespace {

/// An unlinked-on-exit file that catches one stream of the child.
class Capture {
public:
    Capture() : descriptor_(mkstemp(path_.data())) {
        ensure(descriptor_ >= 0, "run_attest: no temporary file");
    }

    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;
    Capture(Capture&&) = delete;
    Capture& operator=(Capture&&) = delete;

    ~Capture() {
        close(descriptor_);
        unlink(path_.data());
    }

    [[nodiscard]] int descriptor() const { return descriptor_; }

    [[nodiscard]] std::string text() const {
        std::ifstream file(path_.data());
        std::ostringstream all;
        all << file.rdbuf();
        return all.str();
    }

private:
    std::array<char, 32> path_{"/tmp/attest-run-XXXXXX"};
    int descriptor_;
};

/// The words of /proc/ID/stat behind the name, the state first; none where there is no process.
std::vector<std::string> facts_of(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream words(line.substr(std::min(line.size(), line.rfind(')') + 1)));
    return {std::istream_iterator<std::string>(words), {}};
}

/// The lines but for those of cli/telling, "attest audit: rank 1200 of 3000, 14 s": on a machine
/// that stalls any command may print some.
std::string without_progress(const std::string& text) {
    static const std::regex kProgress(R"(attest [a-z -]+: ([^:]* [0-9]+( of [0-9]+)?, )?[0-9]+ s)");
    std::istringstream lines(text);
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
        if (!std::regex_match(line, kProgress)) {
            kept += line + (lines.eof() ? "" : "\n");
        }
    }
    return kept;
}

}  // namespace

std::vector<std::string> typed(const std::string& command) {
    std::istringstream words(command);
    return {std::istream_iterator<std::string>(words), {}};
}

RunResult run_attest(const std::vector<std::string>& arguments) {
    return run_program(ATTEST_BINARY, arguments);
}

RunResult run_program(const std::string& program, const std::vector<std::string>& arguments) {
    return RunningProgram(program, arguments).wait();
}

struct RunningProgram::Streams {
    Capture out;
    Capture err;
};

RunningProgram::RunningProgram(const std::string& program,
                               const std::vector<std::string>& arguments)
    : streams_(std::make_unique<Streams>()) {
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, streams_->out.descriptor(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, streams_->err.descriptor(), STDERR_FILENO);
    const int spawned =
        posix_spawn(&child_, program.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ensure(spawned == 0, "run_attest: the program could not be started");
}

RunningProgram::~RunningProgram() {
    if (child_ != 0) {
        kill(child_, SIGKILL);
        waitpid(child_, nullptr, 0);
    }
}

void RunningProgram::send(int signal_number) const {
    kill(child_, signal_number);
}

RunResult RunningProgram::wait() {
    int status = 0;
    rusage usage{};
    wait4(child_, &status, 0, &usage);
    child_ = 0;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            streams_->out.text(),
            without_progress(streams_->err.text()),
            1024.0 * static_cast<double>(usage.ru_maxrss)};
}

bool runs(pid_t process) {
    const std::vector<std::string> facts = facts_of(process);
    return !facts.empty() && facts[0] != "Z" && facts[0] != "X";
}

long processor_ticks(pid_t process) {
    const std::vector<std::string> facts = facts_of(process);
    constexpr std::size_t kUser = 11;
    return facts.size() > kUser + 1 ? std::stol(facts[kUser]) + std::stol(facts[kUser + 1]) : 0;
}

bool one_line(const std::string& text) {
    return !text.empty() && text.back() == '\n' && std::count(text.begin(), text.end(), '\n') == 1;
}

nlohmann::json json_of(const RunResult& run) {
    EXPECT_TRUE(one_line(run.out)) << run.out << run.err;
    nlohmann::json found = nlohmann::json::parse(run.out, nullptr, false);
    EXPECT_FALSE(found.is_discarded()) << run.out;
    return found.is_discarded() ? nlohmann::json() : found;
}

nlohmann::json run_json(std::vector<std::string> arguments, int code) {
    arguments.emplace_back("--json");
    const RunResult run = run_attest(arguments);
    EXPECT_EQ(run.code, code) << run.err;
    return json_of(run);
}

}  // namespace attest::test
