#include "core/base/child_process.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>

namespace attest {

namespace {

/// Our environment with the changes, as NAME=value.
std::vector<std::string> changed_environment(const EnvironmentChanges& changes) {
    std::vector<std::string> variables;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view variable(*entry);
        if (!changes.contains(std::string(variable.substr(0, variable.find('='))))) {
            variables.emplace_back(variable);
        }
    }
    for (const auto& [name, value] : changes) {
        if (value) {
            variables.push_back(formatted("{}={}", name, *value));
        }
    }
    return variables;
}

/// The texts as the null-terminated array that the system wants; valid while they live.
std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> array;
    array.reserve(texts.size() + 1);
    for (std::string& text : texts) {
        array.push_back(text.data());
    }
    array.push_back(nullptr);
    return array;
}

/// Everything the descriptor gives until its end.
std::string read_all(int descriptor) {
    std::string text;
    std::array<char, 4096> buffer{};
    while (true) {
        const ssize_t count = read(descriptor, buffer.data(), buffer.size());
        if (count > 0) {
            text.append(buffer.data(), static_cast<std::size_t>(count));
        } else if (count == 0 || errno != EINTR) {
            return text;
        }
    }
}

/// Starts the program with its standard output going to the second end of the pipe.
pid_t start(std::vector<std::string> words,
            const EnvironmentChanges& changes,
            const std::array<int, 2>& output) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addclose(&files, output[0]);
    posix_spawn_file_actions_adddup2(&files, output[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&files, output[1]);
    std::vector<std::string> variables = changed_environment(changes);
    pid_t child = 0;
    const int failed = posix_spawnp(&child,
                                    words[0].c_str(),
                                    &files,
                                    nullptr,
                                    pointers(words).data(),
                                    pointers(variables).data());
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0) {
        close(output[0]);
        close(output[1]);
        throw NotAvailable(formatted("{}: cannot be started; is it installed?", words[0]));
    }
    return child;
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& words, const EnvironmentChanges& changes) {
    require(!words.empty(), "run_child: got no program");
    std::array<int, 2> output{};
    if (pipe(output.data()) != 0) {
        throw EnvironmentFailure("run_child: no pipe can be opened");
    }
    const pid_t child = start(words, changes, output);
    close(output[1]);
    ChildResult result;
    result.out = read_all(output[0]);
    close(output[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return result;
}

std::string program_folder() {
    std::error_code failed;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
    return failed ? "." : self.parent_path().string();
}

}  // namespace attest
