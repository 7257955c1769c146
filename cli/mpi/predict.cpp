#include "cli/mpi/bench.hpp"
#include "cli/mpi/mpi_command.hpp"
#include "core/data/model_file.hpp"
#include "core/features/coefficients.hpp"
#include "core/questions/learn.hpp"
#include "core/questions/output.hpp"
#include "distributed/block_moments.hpp"
#include "distributed/distributed_fit.hpp"

#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct MpiPredictOptions {
    std::string model;
    std::vector<std::string> shards;
};

int score_shards(const MpiPredictOptions& options,
                 const CommonOptions& common,
                 const Communicator& ranks) {
    const Measure measure;
    Model model;
    together(ranks, [&] { model = read_model(options.model); });
    ShardedData data = open_shards(ranks, options.shards, model.layer);
    require_labels(data.table);
    const ShardTable& table = data.table;
    Matrix P;
    together(ranks, [&] {
        require(model.layout() == table.shape().layout && model.o == table.o,
                "{}: layer {} with {} features and {} outputs, the shards have {} and {}",
                options.model,
                to_string(model.layer),
                model.layout().psi(),
                model.o,
                table.shape().psi(),
                table.o);
        P = coefficients(model, options.model);
    });
    read_own_blocks(ranks, data);
    require_ordinary_sizes(ranks, data);
    const Risk risk = distributed_risk(ranks, data, P);
    Output output;
    output.add("ranks", ranks.size());
    output.add("shards", table.paths.size());
    output.add("layer", to_string(table.layer));
    output.add("num_examples", table.num_examples);
    output.add("d", table.input.d);
    output.add("o", table.o);
    describe(output, risk);
    measure.show(ranks, output);
    on_rank_0(ranks, [&] { output.print(std::cout, common.json); });
    return kHolds;
}

}  // namespace

Command add_mpi_predict(CLI::App& program, CommonOptions& common, const Communicator& ranks) {
    const auto options = std::make_shared<MpiPredictOptions>();
    CLI::App* app = program.add_subcommand("predict", "The risk of a model on labelled shards");
    app->add_option("model", options->model, "Model file (.npz): P, or V and Q")->required();
    add_shards(*app, options->shards);
    add_common(*app, common);
    add_examples(*app, "  mpirun -n 4 attest-mpi predict model.npz fresh-*.npz\n");
    return {app, [options, &common, &ranks] { return score_shards(*options, common, ranks); }};
}

}  // namespace attest::cli
