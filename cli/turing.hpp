#pragma once

#include "cli/command.hpp"
#include "programs/machines/turing_notation.hpp"

#include <string>

namespace attest::cli {

// The subcommands of `attest turing`.
Command add_turing_run(CLI::App& turing, CommonOptions& common);
Command add_turing_exhaust(CLI::App& turing, CommonOptions& common);
Command add_turing_export(CLI::App& turing, CommonOptions& common);
Command add_turing_list(CLI::App& turing, CommonOptions& common);

/// A machine and its tape, as the command line names them.
struct MachineOptions {
    std::string machine;
    std::string tape;
    Index steps = 1000;
    Index cells = 0;  ///< 0: as many as the run needs
    Index head = 0;
    bool has_tape = false;
};

/// The positional argument and --tape, --steps, --cells, --head.
void add_machine_options(CLI::App& app, MachineOptions& options);

[[nodiscard]] TuringMachine read_machine(const MachineOptions& options);
[[nodiscard]] TuringTape tape_of(const MachineOptions& options, const TuringMachine& machine);

}  // namespace attest::cli
