#include "cli/mpi/bench.hpp"
#include "cli/mpi/mpi_command.hpp"
#include "core/base/memory.hpp"
#include "distributed/block_moments.hpp"
#include "distributed/distributed_fit.hpp"

#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct MpiCertifyOptions {
    std::vector<std::string> shards;
    std::string level = "numerical";
};

int certify_shards(const MpiCertifyOptions& options,
                   const CommonOptions& common,
                   const Communicator& ranks) {
    const Measure measure;
    ShardedData data = open_shards(ranks, options.shards);
    const SourceShape shape = data.table.shape();
    EigenvalueEstimate found;
    double bytes = 0.0;
    if (shape.num_examples >= shape.psi()) {
        (void)distributed_chain(ranks, data, "gram64");  // refuses what does not fit
        bytes = rank_bytes(distributed_solver_named("gram64"), data.table, data.partition);
        tell_memory(ranks, "certify", bytes);
        read_own_blocks(ranks, data);
        require_ordinary_sizes(ranks, data);
        found = distributed_minimum_eigenvalue(ranks, data, common.threads);
    }
    Output output;
    output.add("level", options.level);
    output.add("ranks", ranks.size());
    output.add("shards", data.table.paths.size());
    output.add("num_examples", shape.num_examples);
    output.add("d", data.table.d);
    output.add("psi", shape.psi());
    nlohmann::ordered_json lambda_min{{"value", nullptr}, {"lo", nullptr}, {"hi", nullptr}};
    if (found.converged) {
        lambda_min["value"] = number_or_null(found.value);
    }
    output.add("lambda_min",
               lambda_min,
               found.converged ? brief(found.value) + " (numerical)" : "not resolved");
    output.add_json("lambda_min_error", found.error);
    output.add("verdict",
               found.converged ? "numerically_full_rank" : "numerically_deficient",
               found.converged
                   ? "numerically full rank: floating point sees one minimiser; this proves nothing"
                   : "numerically deficient: floating point cannot prove it");
    output.add("predicted_bytes", bytes, format_bytes(bytes) + " on a rank");
    measure.show(ranks, output);
    on_rank_0(ranks, [&] { output.print(std::cout, common.json); });
    return found.converged ? kHolds : kUndecided;
}

}  // namespace

Command add_mpi_certify(CLI::App& program, CommonOptions& common, const Communicator& ranks) {
    const auto options = std::make_shared<MpiCertifyOptions>();
    CLI::App* app = program.add_subcommand(
        "certify", "The least eigenvalue of the second moment, in floating point");
    add_shards(*app, options->shards);
    app->add_option("--level", options->level, "numerical: proofs are attest certify's")
        ->check(CLI::IsMember({"numerical"}))
        ->capture_default_str();
    add_common(*app, common);
    add_examples(*app, "  mpirun -n 4 attest-mpi certify data-*.npz --level numerical\n");
    return {app, [options, &common, &ranks] { return certify_shards(*options, common, ranks); }};
}

}  // namespace attest::cli
