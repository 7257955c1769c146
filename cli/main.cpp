#include "cli/commands.hpp"
#include "cli/help_headings.hpp"
#include "core/algebra/blas_core.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace attest::cli;

/// What CLI11 says, on one line; of a word that is no command, which ones there are.
std::string message_of(const CLI::App& app, const CLI::ParseError& error) {
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(sub->get_name());
    }
    const std::vector<std::string> left = app.remaining();
    if (!names.empty() && !left.empty() && !left.front().starts_with('-')) {
        return attest::unknown_name_message("command", left.front(), names);
    }
    std::string message = error.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    return message;
}

/// One line as run_guarded prints it, and where the help is that lists what is taken. CLI11 knows
/// many exit codes; ours is 2 for every usage error.
int usage_error(const CLI::App& program, const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
        return program.exit(error);
    }
    std::string path = "attest";
    std::string name = path;
    const CLI::App* app = &program;
    while (!app->get_subcommands().empty()) {
        app = app->get_subcommands().front();
        path += " " + app->get_name();
        name = app->get_parent() == &program ? path : name;
    }
    std::cerr << name << ": " << message_of(*app, error) << "; see " << path << " --help\n";
    return kUsage;
}

int run(int argc, char** argv) {
    CLI::App program("Learn, certify and audit linear attention.", "attest");
    program.require_subcommand(1);
    program.set_version_flag("--version", [] { return version_text(); });
    CommonOptions common;
    common.arguments.assign(argv, argv + argc);
    const std::vector<Command> commands{
        add_generate(program, common),  add_learn(program, common),
        add_predict(program, common),   add_certify(program, common),
        add_audit(program, common),     add_audit_model(program, common),
        add_plan(program, common),      add_check(program, common),
        add_express(program, common),   add_probe(program, common),
        add_dimension(program, common), add_layers(program, common),
        add_import(program, common),    add_distil(program, common),
        add_kernel(program, common),    add_heads(program, common),
        add_softmax(program, common),   add_reproduce(program, common),
        add_sweep(program, common),     add_html_report(program, common),
        add_compare(program, common),   add_bench(program, common),
        add_verify(program, common),    add_turing(program, common),
        add_dfa(program, common),       add_program(program, common),
        add_demo(program, common),      add_doctor(program, common)};
    // Last: a subcommand takes over the footer that its parent has when it is added.
    add_examples(program,
                 "  attest generate random-linear-attention --d 4 -N 400 -o data.npz\n"
                 "  attest learn data.npz -o model.npz\n"
                 "  attest certify data.npz\n");
    add_headings(program);
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
        attest::start_again_with_better_blas(argv);
        attest::keep_freed_memory();
        return run(argc, argv);
    } catch (const attest::InvalidInput& error) {
        std::cerr << "attest: " << error.what() << '\n';
        return kBadInput;
    } catch (const std::exception& error) {
        std::cerr << "attest: " << error.what() << '\n';
        return kInternal;
    }
}
