#include "cli/turing.hpp"

#include "cli/commands.hpp"

#include <memory>

namespace attest::cli {

Command add_turing(CLI::App& program, CommonOptions& common) {
    CLI::App* app = program.add_subcommand(
        "turing", "Turing machines as linear attention: run them, learn them, exhaust a class");
    app->require_subcommand(1);
    const auto commands = std::make_shared<std::vector<Command>>();
    commands->push_back(add_turing_run(*app, common));
    commands->push_back(add_turing_exhaust(*app, common));
    commands->push_back(add_turing_export(*app, common));
    commands->push_back(add_turing_list(*app, common));
    add_examples(*app,
                 "  attest turing run 1RB1LB_1LA1RZ --steps 200 --trace\n"
                 "  attest turing run increment --tape 1011 --engine attention\n"
                 "  attest turing exhaust --cells 3 --steps 6 --train-runs 3000\n"
                 "  attest turing export bb2 -o traces.npz --queries run.npz\n"
                 "  attest turing list\n");
    return {app, [commands] {
                for (const Command& command : *commands) {
                    if (command.app->parsed()) {
                        return command.run();
                    }
                }
                return static_cast<int>(kInternal);
            }};
}

}  // namespace attest::cli
