#include "bench/sweep/sweep.hpp"

#include "cli/commands.hpp"
#include "cli/reproduce.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "core/questions/output.hpp"

#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct SweepOptions {
    std::string file;
    std::string output = "sweeps";
    bool resume = false;
    bool quiet = false;
    bool list = false;
};

std::string resume_command(const SweepOptions& options, const CommonOptions& common) {
    return shell_quoted({"attest",
                         "sweep",
                         options.file,
                         "--out",
                         options.output,
                         "--seed",
                         std::to_string(common.seed),
                         "--resume"});
}

/// The cases by name, without drawing anything.
int list_cases(const Experiment& experiment, const CommonOptions& common) {
    nlohmann::ordered_json cases = nlohmann::ordered_json::array();
    for (const Case& one : experiment.cases) {
        cases.push_back(describe(one.key));
    }
    if (common.json) {
        print_json(std::cout, {{"id", experiment.id}, {"cases", cases}});
        return kHolds;
    }
    for (const auto& one : cases) {
        std::cout << one.get<std::string>() << '\n';
    }
    std::cout << formatted(
        "{} {}\n", experiment.cases.size(), experiment.cases.size() == 1 ? "case" : "cases");
    return kHolds;
}

int sweep(const SweepOptions& options, const CommonOptions& common) {
    SweepPlan plan = read_sweep(options.file);
    plan.threads = common.threads;
    const ExperimentEntry entry = sweep_entry(plan);
    if (options.list) {
        return list_cases(entry.make(Profile::full, common.seed), common);
    }
    install_interrupt_handlers();
    const DirectoryLock folder(options.output);
    const Provenance provenance =
        collect_provenance({common.arguments, common.seed, "as the task's traits say"});
    const EntryRun run{Profile::full,
                       options.resume ? Restart::resume : Restart::anew,
                       options.quiet ? ProgressMode::quiet : ProgressMode::automatic,
                       [&] { return resume_command(options, common); }};
    EntryResult found = run_entry(entry, run, common, folder, provenance);
    if (common.json) {
        found.summary["failed_cases"] = found.failed_cases;
        print_json(std::cout, found.summary);
    }
    return found.failed_cases > 0 ? kEnvironment : kHolds;
}

}  // namespace

Command add_sweep(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<SweepOptions>();
    CLI::App* app = program.add_subcommand(
        "sweep",
        "Run a grid of task, learner and seed that a file describes: rows, tables, a figure");
    app->add_option("file", options->file, "The grid (.toml); docs/sweeps.md says what it holds")
        ->required();
    app->add_option("--out", options->output, "Folder of rows, tables and figures")
        ->capture_default_str();
    app->add_flag("--resume", options->resume, "Keep the finished cases of an interrupted run");
    app->add_flag("--list", options->list, "Print the cases and stop");
    app->add_flag("--quiet", options->quiet, "No progress");
    add_common(*app, common);
    add_examples(*app,
                 "  attest sweep docs/sweeps/examples_needed.toml\n"
                 "  attest sweep docs/sweeps/examples_needed.toml --list\n"
                 "  attest report sweeps\n");
    return {app, [options, &common] { return sweep(*options, common); }};
}

}  // namespace attest::cli
