#include "cli/commands.hpp"
#include "cli/report.hpp"
#include "core/base/text.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct CheckOptions {
    std::string proof;
    std::string data;
    std::string queries;
};

/// The checker beside this program; else the name, to be looked up in PATH.
std::string checker_program() {
    std::error_code failed;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
    const std::filesystem::path beside = self.parent_path() / "attest-check";
    return !failed && std::filesystem::exists(beside) ? beside.string() : "attest-check";
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

/// Starts the checker with its standard output going to `output`; its standard error is ours.
pid_t start(std::vector<std::string> words, const std::array<int, 2>& output) {
    std::vector<char*> arguments;
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addclose(&files, output[0]);
    posix_spawn_file_actions_adddup2(&files, output[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&files, output[1]);
    pid_t child = 0;
    const int failed =
        posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0) {
        throw NotAvailable(
            concat(words[0],
                   ": cannot be started; scripts/build makes it, and cmake --install "
                   "puts it beside attest"));
    }
    return child;
}

struct Answer {
    int code = kInternal;
    std::string text;  ///< its standard output without the newline
};

/// Runs the checker as a process of its own, so that nothing of this program has a say in the
/// answer.
Answer run_checker(const std::vector<std::string>& words) {
    std::array<int, 2> output{};
    if (pipe(output.data()) != 0) {
        throw EnvironmentFailure("check: no pipe can be opened");
    }
    const pid_t child = start(words, output);
    close(output[1]);
    Answer answer;
    answer.text = read_all(output[0]);
    close(output[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : kInternal;
    while (!answer.text.empty() && answer.text.back() == '\n') {
        answer.text.pop_back();
    }
    return answer;
}

int check(const CheckOptions& options, const CommonOptions& common) {
    std::vector<std::string> words{checker_program(), options.proof, options.data};
    if (!options.queries.empty()) {
        words.push_back(options.queries);
    }
    const Answer answer = run_checker(words);
    if (answer.code == kHolds || answer.code == kDoesNotHold) {
        Report report;
        report.add_json("verdict", answer.code == kHolds ? "verified" : "rejected");
        report.add_json("answer", answer.text);
        report.say(answer.text);
        report.print(std::cout, common.json);
    }
    return answer.code;
}

}  // namespace

Command add_check(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<CheckOptions>();
    CLI::App* app = program.add_subcommand(
        "check",
        "Verify a proof from the data, by the independent program attest-check. Exit 0 VERIFIED, 1 "
        "rejected");
    app->add_option("proof", options->proof, "Proof file (.cert)")->required();
    app->add_option("data", options->data, "Data set (.npz) that the proof is about")->required();
    app->add_option("queries", options->queries, "Data set of the queries, if it is about some");
    add_common(*app, common);
    add_examples(*app,
                 "  attest check data.cert data.npz\n"
                 "  attest check queries.cert data.npz queries.npz --json\n");
    return {app, [options, &common] { return check(*options, common); }};
}

}  // namespace attest::cli
