#include "tests/cli/run_attest.hpp"

#include "core/base/error.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
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

}  // namespace

RunResult run_attest(const std::vector<std::string>& arguments) {
    return run_program(ATTEST_BINARY, arguments);
}

RunResult run_program(const std::string& program, const std::vector<std::string>& arguments) {
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    const Capture out;
    const Capture err;
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
    pid_t child = 0;
    const int spawned =
        posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ensure(spawned == 0, "run_attest: the program could not be started");
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, out.text(), err.text()};
}

bool one_line(const std::string& text) {
    return !text.empty() && text.back() == '\n' && std::count(text.begin(), text.end(), '\n') == 1;
}

}  // namespace attest::test
