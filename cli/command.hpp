#pragma once

#include "core/base/error.hpp"
#include "core/questions/verdict.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attest::cli {

/// Exit codes, the same for every subcommand.
enum ExitCode : int {
    kHolds = 0,         ///< done; determined; VERIFIED; as documented
    kDoesNotHold = 1,   ///< not determined, proved; rejected; differs
    kUsage = 2,         ///< unknown option, task, solver, claim
    kUndecided = 3,     ///< neither proved nor refuted
    kBadInput = 4,      ///< absent, unreadable or malformed data
    kEnvironment = 5,   ///< output not writable, memory, a backend that is absent
    kInternal = 70,     ///< a mistake of ours
    kInterrupted = 130  ///< stopped by the user, finished rows kept
};

/// 0, 1 or 3: yes, no, undecided.
[[nodiscard]] int exit_code(Decision decision);

/// Options that every subcommand takes.
struct CommonOptions {
    bool json = false;
    std::uint64_t seed = 0;
    int threads = 1;
    std::vector<std::string> arguments;  ///< argv, for provenance
};

/// A command line as typed, from "attest" on, less this option and its value.
[[nodiscard]] std::vector<std::string> words_without(const std::vector<std::string>& arguments,
                                                     const std::string& option);

/// A subcommand: its options and the function that runs it and returns the exit code.
struct Command {
    CLI::App* app;
    std::function<int()> run;
};

/// Adds --json, --seed and --threads.
void add_common(CLI::App& app, CommonOptions& common);

/// Why a search for one normalised head takes no options of least squares.
constexpr std::string_view kOneWay =
    "a layer with a normaliser has one way of being found; leave it out";

/// Refuses options that were given and would decide nothing. Throws CLI::ValidationError.
void refuse_options(const CLI::App& app,
                    std::initializer_list<const char*> names,
                    std::string_view why);

/// Adds --layer, the text of a layer.
void add_layer_option(CLI::App& app, std::string& layer);

/// Appends a list of names, a line each with what it means, to the command's help.
void add_names(CLI::App& app,
               const std::string& title,
               const std::vector<std::pair<std::string, std::string>>& names);

/// Appends "Example:" lines to the command's help.
void add_examples(CLI::App& app, const std::string& examples);

/// Program, version, commit and compiler on one line.
[[nodiscard]] std::string version_line();

/// That line, then commit, compiler flags, linear algebra and libraries, a line each.
[[nodiscard]] std::string version_text();

/// Runs the body; every exception becomes one line "attest NAME: message" on stderr and its exit
/// code.
int run_guarded(const std::string& name, const std::function<int()>& body);

}  // namespace attest::cli
