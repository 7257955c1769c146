#include "cli/mpi/bench.hpp"

#include "cli/mpi/mpi_command.hpp"
#include "cli/option_values.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"
#include "core/questions/output.hpp"
#include "distributed/distributed_fit.hpp"
#include "tasks/random_linear_attention.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iostream>
#include <memory>
#include <numeric>
#include <vector>

namespace attest::cli {

namespace {

double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Every rank's value, on every rank.
std::vector<double> of_ranks(const Communicator& ranks, double value) {
    std::vector<double> all(static_cast<std::size_t>(ranks.size()), 0.0);
    all[static_cast<std::size_t>(ranks.rank())] = value;
    ranks.unite(std::span<double>(all));
    return all;
}

}  // namespace

Measure::Measure() : cpu_(cpu_seconds()) {}

void Measure::show(const Communicator& ranks, Output& output) const {
    const std::vector<double> wall = of_ranks(ranks, timer_.seconds());
    const std::vector<double> cpu = of_ranks(ranks, cpu_seconds() - cpu_);
    const std::vector<double> memory = of_ranks(ranks, peak_resident_bytes());
    const double slowest = *std::max_element(wall.begin(), wall.end());
    const double total = std::accumulate(cpu.begin(), cpu.end(), 0.0);
    const double most = *std::max_element(memory.begin(), memory.end());
    output.add("seconds", slowest, format_seconds(slowest));
    output.add("cpu_seconds", total, format_seconds(total) + " of all ranks");
    output.add("peak_rss_bytes", most, format_bytes(most) + " on the rank with most");
}

namespace {

struct MpiBenchOptions {
    Index d = 12;
    Index o = 0;
    Index length = 32;
    double ratio = 2.0;
    std::string solver = "kron";
};

/// The table of N drawn sequences, in blocks of 1024.
ShardTable drawn_table(const TaskTraits& traits, Index N, Index length) {
    constexpr Index kBlock = 1024;
    ShardTable table;
    table.input.d = traits.d;
    table.o = traits.o;
    table.labels = traits.labels;
    table.num_tokens = N * length;
    table.num_examples = N;
    table.num_inputs = table.num_tokens * traits.d;
    for (Index first = 0; first < N; first += kBlock) {
        const Index count = std::min(kBlock, N - first);
        table.blocks.push_back({0, first, count, count});
    }
    return table;
}

int time_solver(const MpiBenchOptions& options,
                const CommonOptions& common,
                const Communicator& ranks) {
    RandomLinearAttentionOptions drawn;
    drawn.d = options.d;
    drawn.o = options.o;
    drawn.n = {options.length, options.length};
    const auto task = random_linear_attention(drawn, Stream(common.seed));
    const Index psi = feature_dim(options.d);
    const auto N = static_cast<Index>(std::ceil(options.ratio * static_cast<double>(psi)));
    ShardedData data = shared_out(ranks, drawn_table(task->traits(), N, options.length));
    const DistributedSolver& solver = distributed_solver_named(options.solver);
    (void)distributed_chain(ranks, data, options.solver);
    const double bytes = rank_bytes(solver, data.table, data.partition);
    tell_memory(ranks, "bench", bytes);
    together(ranks, [&] {
        for (Index b = data.first_own; b < data.partition.last(ranks.rank()); ++b) {
            const ShardBlock& block = data.table.blocks[static_cast<std::size_t>(b)];
            data.own.push_back(
                materialise(*task, block.first_sequence, block.num_sequences, common.threads));
        }
    });
    const Measure measure;
    const LeastSquaresFit fit =
        fit_distributed(ranks, data, {solver.name}, {0.0, Norm::sym, common.threads});
    if (fit.status == SolveStatus::refused) {
        throw AgreedFailure(FailureKind::unavailable,
                            formatted("solver {} refuses: {}", fit.solver, fit.note));
    }
    const Matrix truth = coefficients(*task->truth().heads);
    const double error = (fit.P - truth).norm() / truth.norm();
    Output output;
    output.add("ranks", ranks.size());
    output.add("d", options.d);
    output.add("o", data.table.o);
    output.add("psi", psi);
    output.add("num_examples", N);
    output.add("tokens_each", options.length);
    output.add("solver", fit.solver, fit.solver + " (" + fit.note + ")");
    output.add_json("note", fit.note);
    output.add("relative_error", number_or_null(error), brief(error));
    output.add("error_bound", number_or_null(fit.error_bound), brief(fit.error_bound));
    output.add("predicted_bytes", bytes, format_bytes(bytes) + " on a rank");
    measure.show(ranks, output);
    on_rank_0(ranks, [&] { output.print(std::cout, common.json); });
    return kHolds;
}

}  // namespace

Command add_mpi_bench(CLI::App& program, CommonOptions& common, const Communicator& ranks) {
    const auto options = std::make_shared<MpiBenchOptions>();
    CLI::App* app = program.add_subcommand(
        "bench", "Time and memory of one solver on drawn examples with a known answer");
    app->add_option("--d", options->d, "Token dimension")
        ->check(integer_within(1, 128))
        ->capture_default_str();
    app->add_option("--o", options->o, "Outputs; 0: as many as d")
        ->check(integer_within(0, 128))
        ->capture_default_str();
    app->add_option("--n", options->length, "Tokens in a sequence")
        ->check(integer_within(1, 100000))
        ->capture_default_str();
    app->add_option("--ratio", options->ratio, "Examples over unknowns, N/psi")
        ->check(number_within(1.0, 1e4))
        ->capture_default_str();
    std::vector<std::string> names;
    for (const DistributedSolver& solver : distributed_solvers()) {
        names.emplace_back(solver.name);
    }
    app->add_option("--solver", options->solver, "Solver")
        ->check(CLI::IsMember(names))
        ->capture_default_str();
    add_common(*app, common);
    add_examples(*app, "  mpirun -n 2 attest-mpi bench --d 16 --solver gram64 --json\n");
    return {app, [options, &common, &ranks] { return time_solver(*options, common, ranks); }};
}

}  // namespace attest::cli
