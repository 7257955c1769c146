#pragma once

#include "cli/command.hpp"

namespace attest::cli {

// The subcommands of `attest turing`.
Command add_turing_run(CLI::App& turing, CommonOptions& common);
Command add_turing_exhaust(CLI::App& turing, CommonOptions& common);
Command add_turing_export(CLI::App& turing, CommonOptions& common);
Command add_turing_list(CLI::App& turing, CommonOptions& common);

}  // namespace attest::cli
