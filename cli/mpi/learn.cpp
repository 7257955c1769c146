#include "core/questions/learn.hpp"

#include "cli/mpi/bench.hpp"
#include "cli/mpi/mpi_command.hpp"
#include "cli/option_values.hpp"
#include "core/base/json_text.hpp"
#include "core/data/model_file.hpp"
#include "core/questions/output.hpp"
#include "distributed/distributed_fit.hpp"

#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct MpiLearnOptions {
    std::vector<std::string> shards;
    std::string layer = "linear";
    std::string output;
    std::string solver = "auto";
    std::string norm = "sym";
    double ridge = 0.0;
};

void show_sizes(Output& output, const Communicator& ranks, const ShardTable& table) {
    output.add("ranks", ranks.size());
    output.add("shards", table.paths.size());
    output.add("layer", to_string(table.layer));
    output.add("num_examples", table.num_examples);
    output.add("d", table.input.d);
    output.add("o", table.o);
    output.add("psi", table.shape().psi());
}

std::string meta_of(const LeastSquaresFit& fit, const SolveOptions& solve, Index ranks) {
    nlohmann::ordered_json meta;
    meta["learner"] = "algorithm_1";
    meta["solver"] = fit.solver;
    meta["ridge"] = solve.ridge;
    meta["norm"] = to_string(solve.norm);
    meta["status"] = to_string(fit.status);
    meta["ranks"] = ranks;
    return json_text(meta);
}

Model coefficients_alone(const ShardTable& table, const Matrix& P, const std::string& meta) {
    const Index d = table.input.d;
    Model model{d, table.o, P, {d, table.o, {}}, meta, table.layer};
    if (!table.layer.is_linear()) {
        model.input = table.input;
    }
    return model;
}

int learn_shards(const MpiLearnOptions& options,
                 const CommonOptions& common,
                 const Communicator& ranks) {
    const Measure measure;
    const SolveOptions solve{options.ridge, norm_from_string(options.norm), common.threads};
    ShardedData data = open_shards(ranks, options.shards, layer_of_all_ranks(options.layer));
    require_labels(data.table);
    const auto chain = distributed_chain(ranks, data, options.solver);
    double bytes = 0.0;
    for (const std::string_view name : chain) {
        bytes =
            std::max(bytes, rank_bytes(distributed_solver_named(name), data.table, data.partition));
    }
    tell_memory(ranks, "learn", bytes);
    read_own_blocks(ranks, data);
    const LeastSquaresFit fit = fit_distributed(ranks, data, chain, solve);
    if (fit.status == SolveStatus::refused) {
        throw AgreedFailure(FailureKind::unavailable,
                            formatted("solver {} refuses: {}", fit.solver, fit.note));
    }
    const Risk risk = distributed_risk(ranks, data, fit.P);
    on_rank_0(ranks, [&] {
        if (!options.output.empty()) {
            write_model(options.output,
                        coefficients_alone(data.table, fit.P, meta_of(fit, solve, ranks.size())));
        }
    });
    Output output;
    show_sizes(output, ranks, data.table);
    output.add("solver", fit.solver, fit.solver + " (" + fit.note + ")");
    output.add_json("note", fit.note);
    output.add("status", to_string(fit.status), status_in_words(fit.status));
    output.add("rcond", number_or_null(fit.rcond), brief(fit.rcond));
    describe_error_bound(output, fit);
    describe(output, risk);
    output.add("norm", options.norm);
    output.add("ridge", options.ridge);
    output.add("predicted_bytes", bytes, format_bytes(bytes) + " on a rank");
    measure.show(ranks, output);
    if (!options.output.empty()) {
        output.add("model", options.output);
    }
    on_rank_0(ranks, [&] { output.print(std::cout, common.json); });
    return kHolds;
}

}  // namespace

Command add_mpi_learn(CLI::App& program, CommonOptions& common, const Communicator& ranks) {
    const auto options = std::make_shared<MpiLearnOptions>();
    CLI::App* app = program.add_subcommand(
        "learn", "Least squares over all shards; the model holds coefficients, no heads");
    add_shards(*app, options->shards);
    add_layer_option(*app, options->layer);
    app->add_option("-o,--output", options->output, "Model file that rank 0 writes (.npz)");
    std::vector<std::string> names{"auto"};
    std::vector<std::pair<std::string, std::string>> words;
    for (const DistributedSolver& solver : distributed_solvers()) {
        names.emplace_back(solver.name);
        words.emplace_back(solver.name, solver.summary);
    }
    app->add_option("--solver", options->solver, "auto, or one of the solvers below")
        ->check(CLI::IsMember(names))
        ->capture_default_str();
    app->add_option("--ridge", options->ridge, "Ridge penalty R: adds R times the squared norm")
        ->check(number_from_zero())
        ->capture_default_str();
    app->add_option("--norm", options->norm, "Norm of the ridge: sym or packed")
        ->check(CLI::IsMember({"sym", "packed"}))
        ->capture_default_str();
    add_common(*app, common);
    add_names(*app, "Solvers", words);
    add_examples(*app,
                 "  mpirun -n 4 attest-mpi learn data-*.npz -o model.npz\n"
                 "  mpirun -n 4 attest-mpi learn data-*.npz --solver kron --json\n"
                 "  mpirun -n 4 attest-mpi learn data-*.npz --layer \"decay=1,31/32\"\n");
    return {app, [options, &common, &ranks] { return learn_shards(*options, common, ranks); }};
}

}  // namespace attest::cli
