#include "cli/commands.hpp"

#include <exception>
#include <iostream>
#include <vector>

namespace {

using namespace attest::cli;

/// CLI11 knows many exit codes; ours is 2 for every usage error. A newline inside its message would
/// break "one line".
int usage_error(const CLI::App& program, const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
        return program.exit(error);
    }
    std::string message = error.what();
    for (char& letter : message) {
        letter = letter == '\n' ? ' ' : letter;
    }
    std::string where = "attest";
    for (const CLI::App* sub : program.get_subcommands()) {
        where += " " + sub->get_name();
    }
    std::cerr << where << ": " << message << "; see " << where << " --help\n";
    return kUsage;
}

int run(int argc, char** argv) {
    CLI::App program("Learn, certify and audit linear attention.", "attest");
    program.require_subcommand(1);
    program.set_version_flag("--version", [] { return version_line(); });
    add_examples(program,
                 "  attest generate random-linear-attention --d 4 -N 400 -o data.npz\n"
                 "  attest learn data.npz -o model.npz\n"
                 "  attest certify data.npz\n");
    CommonOptions common;
    common.arguments.assign(argv, argv + argc);
    const std::vector<Command> commands{add_generate(program, common),
                                        add_learn(program, common),
                                        add_predict(program, common),
                                        add_certify(program, common),
                                        add_check(program, common),
                                        add_heads(program, common),
                                        add_softmax(program, common),
                                        add_reproduce(program, common),
                                        add_bench(program, common),
                                        add_verify(program, common),
                                        add_turing(program, common),
                                        add_dfa(program, common),
                                        add_program(program, common),
                                        add_doctor(program, common)};
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return usage_error(program, error);
    }
    for (const Command& command : commands) {
        if (command.app->parsed()) {
            return run_guarded(command.app->get_name(), command.run);
        }
    }
    return kInternal;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "attest: " << error.what() << '\n';
        return kInternal;
    }
}
