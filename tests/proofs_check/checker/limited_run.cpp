#include "tests/proofs_check/checker/limited_run.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>

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

}  // namespace attest::checker_test
