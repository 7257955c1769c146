#pragma once

#include <CLI/CLI.hpp>

namespace attest::cli {

/// Puts the options of commands that have many under headings of their own, and names the page of
/// docs that says more, in the help of every command that has one. Call it last: a subcommand
/// takes over the footer that its parent has when it is added.
void add_headings(CLI::App& program);

}  // namespace attest::cli
