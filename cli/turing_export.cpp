#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/turing.hpp"
#include "cli/turing_input.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset_file.hpp"
#include "programs/learning/exhaust.hpp"
#include "programs/learning/trace_dataset.hpp"
#include "record/json_text.hpp"

#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct ExportOptions : MachineOptions {
    std::string output;
    std::string queries;
    Index train_runs = 300;
    Index train_steps = 6;
    bool active = false;
};

/// A token has d doubles, and every example holds all tokens before the printed one.
constexpr double kMostBytes = 2147483648.0;

std::string meta(const Program& program, const std::string& content) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (Index row = 0; row < program.schema.dim(); ++row) {
        rows.push_back(program.schema.row_name(row));
    }
    return json_text({{"program", program.name}, {"content", content}, {"rows", rows}});
}

Dataset dataset_of(const Utm2& program,
                   const TraceSource& traces,
                   Index count,
                   const std::string& content) {
    double tokens = 0.0;
    for (Index i = 0; i < count; ++i) {
        const Trace trace = traces(i);
        const auto printed = static_cast<double>(trace.generated.size());
        tokens += printed * (static_cast<double>(trace.prompt.size()) + (printed + 1.0) / 2.0);
    }
    const Index d = program.program().schema.dim();
    if (tokens * static_cast<double>(d) * 8.0 > kMostBytes) {
        throw EnvironmentFailure(formatted(
            "export: {} hold {} tokens of {} doubles, more than 2 GiB; ask for fewer runs or steps",
            content,
            round_trip(tokens),
            d));
    }
    Dataset data = printed_tokens(traces, count, d);
    data.meta = meta(program.program(), content);
    return data;
}

/// Those of the runs that active choice learns from.
std::vector<Index> informative(const Utm2& program,
                               const TuringClass& machines,
                               const std::vector<Index>& runs) {
    const LearnedProgram learned = learn_class(program, machines, runs, Selection::active);
    std::vector<Index> chosen;
    for (const Index i : learned.traces) {
        chosen.push_back(runs[static_cast<std::size_t>(i)]);
    }
    return chosen;
}

int export_traces(const ExportOptions& options, const CommonOptions& common) {
    const TuringMachine machine = read_machine(options);
    const TuringTape tape = tape_of(options, machine);
    const Utm2 program(shape_of(machine, static_cast<Index>(tape.cells.size())));
    const TuringClass machines(program.shape(), options.train_steps);
    std::vector<Index> runs =
        machines.sample(options.train_runs, Stream(common.seed).child("turing_export"));
    if (options.active) {
        runs = informative(program, machines, runs);
    }
    const Dataset training = dataset_of(program,
                                        class_traces(program, machines, runs),
                                        static_cast<Index>(runs.size()),
                                        "training runs");
    write_dataset(options.output, training);
    Output output;
    output.add("machine", options.machine);
    output.add("d", training.d());
    output.add("psi", feature_dim(training.d()));
    output.add("train_runs", runs.size());
    output.add("train_tokens", training.num_examples());
    output.add("output", options.output);
    if (!options.queries.empty()) {
        const TuringRun run = simulate(machine, tape.cells, tape.head, options.steps);
        const Trace trace = program.expected(machine, tape.cells, tape.head, run);
        require(!trace.generated.empty(), "export: the run has no step, so there is no query");
        const Dataset queries = dataset_of(
            program, [&](Index /*only*/) { return Trace(trace); }, 1, "the machine's run");
        write_dataset(options.queries, queries);
        output.add("query_tokens", queries.num_examples());
        output.add("queries", options.queries);
    }
    output.print(std::cout, common.json);
    return kHolds;
}

}  // namespace

Command add_turing_export(CLI::App& turing, CommonOptions& common) {
    const auto options = std::make_shared<ExportOptions>();
    CLI::App* app = turing.add_subcommand(
        "export", "Write random runs of a machine's class, and its own run, as data sets (.npz)");
    add_machine_options(*app, *options);
    app->add_option("-o,--output", options->output, "Data set of the training runs")->required();
    app->add_option("--queries", options->queries, "Data set of the machine's own run");
    app->add_option("--train-runs", options->train_runs, "Different random runs of the class")
        ->check(integer_within(1, Index{1} << 40))
        ->capture_default_str();
    app->add_option("--train-steps", options->train_steps, "Budget of steps of these runs")
        ->check(integer_within(1, 1000))
        ->capture_default_str();
    app->add_flag("--active",
                  options->active,
                  "Of these runs, write only those that the earlier ones do not determine");
    add_common(*app, common);
    add_examples(*app,
                 "  attest turing export 0RA1LA --tape 01 --cells 2 --steps 6 --train-runs 450 "
                 "--active -o traces.npz --queries run.npz\n"
                 "  attest certify traces.npz --queries run.npz --proof run.cert\n"
                 "  attest check run.cert traces.npz run.npz\n");
    return {app, [options, &common] { return export_traces(*options, common); }};
}

}  // namespace attest::cli
