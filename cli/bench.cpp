#include "bench/bounds/bound_search.hpp"
#include "bench/experiments/solvers/solver_race.hpp"
#include "bench/experiments/solvers/solver_timing.hpp"
#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "cli/telling.hpp"
#include "core/algebra/lapack.hpp"
#include "core/base/text.hpp"
#include "core/layers/parse_layer.hpp"
#include "core/questions/output.hpp"
#include "core/solve/solvers.hpp"
#include "record/progress.hpp"
#include "record/table.hpp"

#include <algorithm>
#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct BenchOptions {
    std::string data;
    std::string layer = "linear";
    std::string solver = "auto";
    int rounds = 3;
    bool table = false;
    RaceSize size = {16, 4.0};
    std::vector<std::string> contenders;
    bool bounds = false;
    Index fits = 10000;
};

/// One solver, in this process.
int time_one(const BenchOptions& options, const CommonOptions& common) {
    if (options.solver != "auto") {
        (void)solver_named(options.solver);
    }
    const SolverTiming timing = time_solver(
        options.data, options.solver, {common.threads, options.rounds, layer_named(options.layer)});
    Output report;
    report.add("contender", timing.contender);
    report.add("seconds", timing.seconds, format_seconds(timing.seconds));
    report.add("cpu_seconds", timing.cpu_seconds, format_seconds(timing.cpu_seconds));
    report.add("relative_error", timing.relative_error, brief(timing.relative_error));
    report.add("peak_rss_bytes", timing.peak_rss_bytes, format_bytes(timing.peak_rss_bytes));
    report.add("note", timing.note);
    report.add("blas", timing.blas);
    report.print(std::cout, common.json);
    return kHolds;
}

/// Every contender on the same data, each in a process of its own.
int compare(const BenchOptions& options, const CommonOptions& common) {
    const RaceData data(options.size, common.seed);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    std::vector<SolverTiming> timings;
    const std::vector<std::string> contenders =
        options.contenders.empty() ? race_contenders(options.size) : options.contenders;
    for (const std::string& contender : contenders) {
        try {
            timings.push_back(told("bench", [&] {
                return time_contender(data.file(), contender, {common.threads, options.rounds});
            }));
            list.push_back(to_json_object(timings.back()));
        } catch (const NotAvailable& missing) {
            std::cerr << "attest bench: " << missing.what() << '\n';
        }
    }
    if (common.json) {
        print_json(std::cout,
                   {{"d", options.size.d},
                    {"num_examples", num_examples(options.size)},
                    {"psi", feature_dim(options.size.d)},
                    {"threads", common.threads},
                    {"contenders", list}});
    } else {
        std::cout << to_terminal(timing_table(timings));
    }
    return kHolds;
}

nlohmann::ordered_json to_json_object(const BoundTally& tally) {
    return {{"solver", tally.solver},
            {"fits", tally.fits},
            {"answered", tally.answered},
            {"refused", tally.refused},
            {"unclaimed", tally.unclaimed},
            {"beyond", tally.beyond},
            {"worst_ratio", number_or_null(tally.worst_ratio)},
            {"worst_problem", tally.worst_problem},
            {"worst_words", tally.worst_words}};
}

/// Every solver against its own error bounds, on random problems.
int search(const BenchOptions& options, const CommonOptions& common) {
    BoundSearchOptions asked;
    asked.fits = options.fits;
    asked.seed = common.seed;
    asked.threads = common.threads;
    asked.only = options.contenders;
    Progress progress("bounds", options.fits);
    asked.progress = [&, told = Index{0}](Index fits) mutable {
        for (; told < std::min(fits, options.fits); ++told) {
            progress.advance();
        }
    };
    const BoundSearch found = search_bounds(asked);
    if (common.json) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const BoundTally& tally : found.tallies) {
            list.push_back(to_json_object(tally));
        }
        print_json(std::cout,
                   {{"problems", found.problems},
                    {"fits", found.fits},
                    {"seed", common.seed},
                    {"blas_core", lapack_info().core},
                    {"beyond", found.beyond()},
                    {"solvers", list}});
    } else {
        std::cout << to_terminal(bound_table(found)) << found.fits << " fits of " << found.problems
                  << " problems, " << found.beyond() << " beyond their bound\n";
    }
    return found.beyond() == 0 ? kHolds : kDoesNotHold;
}

}  // namespace

Command add_bench(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<BenchOptions>();
    CLI::App* app = program.add_subcommand(
        "bench",
        "Time a solver on your data, all solvers and other libraries side by side, or hold every\n"
        "solver against its own error bounds");
    CLI::Option* data = app->add_option(
        "data", options->data, "Data set (.npz) with truth_P or truth_V and truth_Q");
    add_layer_option(*app, options->layer);
    app->add_option("--solver", options->solver, "Solver to time on DATA")->capture_default_str();
    app->add_option("--rounds", options->rounds, "Solve this often; the fastest round counts")
        ->check(integer_within(1, 1000))
        ->capture_default_str();
    CLI::Option* table = app->add_flag(
        "--table", options->table, "Compare on generated data, each contender in its own process");
    app->add_option("--d", options->size.d, "Token dimension of the generated data")
        ->check(integer_within(1, 64))
        ->capture_default_str();
    app->add_option("--ratio", options->size.ratio, "Examples over unknowns, N/psi")
        ->check(number_within(1.0, 1e4))
        ->capture_default_str();
    app->add_option("--contenders",
                    options->contenders,
                    "Solvers of ours and peers, NAME@blis with another BLAS (openblas, blis,\n"
                    "reference); else all that suit the size");
    CLI::Option* bounds = app->add_flag(
        "--bounds",
        options->bounds,
        "Random ill-conditioned problems, every solver (or --contenders) against 50 digits:\n"
        "within the error bound it gives itself, or exit 1");
    app->add_option("--fits", options->fits, "With --bounds: answers asked for")
        ->check(integer_within(1, 100000000))
        ->needs(bounds)
        ->capture_default_str();
    table->excludes(data);
    bounds->excludes(data)->excludes(table);
    app->callback([options] {
        if (options->data.empty() && !options->table && !options->bounds) {
            throw CLI::ValidationError("give one of DATA, --table and --bounds");
        }
        if (options->data.empty() && options->layer != "linear") {
            throw CLI::ValidationError(
                "--layer is that of DATA; generated data are of layer linear");
        }
    });
    add_common(*app, common);
    add_examples(*app,
                 "  attest bench --table --d 12\n"
                 "  attest bench --table --d 16 --contenders gram64 sklearn_ridge_cholesky\n"
                 "  attest bench --table --d 12 --contenders gram64 gram64@blis gels@reference\n"
                 "  attest bench data.npz --solver tsqr --json\n"
                 "  attest bench decayed.npz --layer \"decay=1,31/32\" --solver gram64\n"
                 "  attest bench --bounds --fits 100000 --seed 7\n");
    return {app, [options, &common] {
                if (options->bounds) {
                    return search(*options, common);
                }
                return options->table ? compare(*options, common) : time_one(*options, common);
            }};
}

}  // namespace attest::cli
