#include "cli/turing.hpp"

#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "cli/telling.hpp"
#include "core/base/files.hpp"
#include "core/base/json_text.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "core/questions/output.hpp"
#include "core/solve/cost_model.hpp"
#include "programs/language/literal_model.hpp"
#include "programs/language/program_text.hpp"
#include "programs/language/token.hpp"
#include "programs/learning/exhaust.hpp"
#include "programs/learning/learn_traces.hpp"
#include "programs/learning/learned_run.hpp"
#include "programs/machines/named_machines.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iostream>
#include <memory>
#include <utility>

namespace attest::cli {

Command add_turing(CLI::App& program, CommonOptions& common) {
    CLI::App* app = program.add_subcommand(
        "turing", "Turing machines as linear attention: run them, learn them, exhaust a class");
    app->require_subcommand(1);
    const auto commands = std::make_shared<std::vector<Command>>();
    commands->push_back(add_turing_run(*app, common));
    commands->push_back(add_turing_exhaust(*app, common));
    commands->push_back(add_turing_export(*app, common));
    commands->push_back(add_turing_list(*app, common));
    add_examples(*app,
                 "  attest turing run 1RB1LB_1LA1RZ --steps 200 --trace\n"
                 "  attest turing run increment --tape 1011 --engine attention\n"
                 "  attest turing exhaust --cells 3 --steps 6 --train-runs 3000\n"
                 "  attest turing export bb2 -o traces.npz --queries run.npz\n"
                 "  attest turing list\n");
    return {app, [commands] {
                for (const Command& command : *commands) {
                    if (command.app->parsed()) {
                        return command.run();
                    }
                }
                return static_cast<int>(kInternal);
            }};
}

namespace {

constexpr Index kMostCells = 4096;

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
    const LearnedProgram learned = told(
        "turing export", [&] { return learn_class(program, machines, runs, Selection::active); });
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

/// One moment a pair of rows: 64 MB at this many rows.
constexpr Index kMostRows = 4096;

struct RunOptions : MachineOptions {
    std::string engine = "simulator";
    Index train_runs = 3000;
    Index train_steps = 6;
    bool trace = false;
};

void show_result(Output& output, const TuringMachine& machine, const TuringResult& result) {
    output.add("ending", to_string(result.ending));
    output.add("steps", result.steps);
    output.add("state", machine.state_name(result.last.state));
    output.add("head", result.last.head);
    output.add("tape", format_word(result.last.tape, machine.symbols));
}

/// One line a configuration: the state, and the tape with the scanned letter in brackets.
void show_steps(Output& output,
                const TuringMachine& machine,
                const TuringTape& tape,
                const TuringRun& run) {
    std::vector<Index> cells = tape.cells;
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    for (const TuringStep& step : run.steps) {
        std::string text;
        for (std::size_t p = 0; p < cells.size(); ++p) {
            const std::string& letter = machine.symbols[static_cast<std::size_t>(cells[p])];
            text += static_cast<Index>(p) == step.position ? "[" + letter + "]" : letter;
        }
        output.say(formatted("{}  {}", machine.state_name(step.state), text));
        steps.push_back({{"state", machine.state_name(step.state)},
                         {"head", step.position},
                         {"tape", format_word(cells, machine.symbols)}});
        cells[static_cast<std::size_t>(step.position)] = step.done.write;
    }
    output.add_json("trace", steps);
}

void show_tokens(Output& output, const Schema& schema, const Trace& trace) {
    nlohmann::ordered_json tokens = nlohmann::ordered_json::array();
    for (const Token& token : trace.generated) {
        output.say(token_text(token, schema));
        tokens.push_back(token_text(token, schema));
    }
    output.add_json("trace", tokens);
}

/// A machine run by attention, compiled or learned, beside the plain simulator.
struct AttentionRun {
    TuringRun simulated;
    Trace expected;
    Utm2Run run;
};

AttentionRun run_compiled(const RunOptions& options,
                          const TuringMachine& machine,
                          const TuringTape& tape,
                          const Utm2& program) {
    TuringRun simulated = simulate(machine, tape.cells, tape.head, options.steps);
    Trace expected = program.expected(machine, tape.cells, tape.head, simulated);
    return {
        std::move(simulated),
        std::move(expected),
        program.run(
            sparse_coefficients(program.program()), machine, tape.cells, tape.head, options.steps)};
}

/// By the minimiser of random runs of machines of the same size: this machine is one of very many.
AttentionRun run_learned(Output& output,
                         const RunOptions& options,
                         const CommonOptions& common,
                         const TuringMachine& machine,
                         const TuringTape& tape) {
    tell_beforehand("turing run",
                    learning_seconds(Utm2(shape_of(machine, std::ssize(tape.cells))),
                                     options.train_runs,
                                     options.train_steps) /
                        machine_speed());
    LearnedRun found = told("turing run", [&] {
        return learned_run(machine,
                           tape,
                           {.train_runs = options.train_runs,
                            .train_steps = options.train_steps,
                            .most_steps = options.steps},
                           Stream(common.seed).child("turing_run"));
    });
    const auto certified = std::count(found.certified.begin(), found.certified.end(), true);
    output.add("train_runs", found.learned.num_traces);
    output.add("train_tokens", found.learned.num_tokens);
    output.add("rank", found.learned.rank);
    output.add("tokens_certified",
               certified,
               formatted("{} of {}, each proved over Z", certified, found.certified.size()));
    return {std::move(found.simulated), std::move(found.expected), std::move(found.run)};
}

int run_by_attention(Output& output,
                     const RunOptions& options,
                     const CommonOptions& common,
                     const TuringMachine& machine,
                     const TuringTape& tape) {
    const auto cells = static_cast<Index>(tape.cells.size());
    const TuringShape shape = shape_of(machine, cells);
    const Index rows = shape.states * shape.symbols + 2 * cells;
    require(rows <= kMostRows,
            "tape: attention with {} rows a token is refused, at most {}; give fewer --cells or "
            "--steps",
            rows,
            kMostRows);
    const Utm2 program(shape);
    output.add("d", program.program().schema.dim());
    output.add("heads", program.program().heads.size());
    const auto [simulated, expected, run] =
        options.engine == "learned" ? run_learned(output, options, common, machine, tape)
                                    : run_compiled(options, machine, tape, program);
    const bool agrees = run.readable && run.result == simulated.result && run.trace == expected;
    if (run.readable) {
        show_result(output, machine, run.result);
    } else {
        output.add("ending", nullptr, "none: the model printed a token that means nothing");
    }
    output.add("tokens", run.trace.generated.size());
    output.add("agrees_with_simulator", agrees, agrees ? "yes, token by token" : "no");
    if (options.trace) {
        show_tokens(output, program.program().schema, run.trace);
    }
    return agrees ? kHolds : kDoesNotHold;
}

int run_machine(const RunOptions& options, const CommonOptions& common) {
    const TuringMachine machine = read_machine(options);
    const TuringTape tape = tape_of(options, machine);
    Output output;
    output.add("machine", options.machine);
    output.add("engine", options.engine);
    output.add("cells", tape.cells.size());
    int code = kHolds;
    if (options.engine == "simulator") {
        const TuringRun run = simulate(machine, tape.cells, tape.head, options.steps);
        show_result(output, machine, run.result);
        if (options.trace) {
            show_steps(output, machine, tape, run);
        }
    } else {
        code = run_by_attention(output, options, common, machine, tape);
    }
    output.print(std::cout, common.json);
    return code;
}

int list_machines(const CommonOptions& common) {
    Output output;
    for (const NamedMachine& machine : named_machines()) {
        output.add(std::string(machine.name), machine.summary);
    }
    output.print(std::cout, common.json);
    return kHolds;
}

struct ExhaustOptions {
    TuringShape shape;
    Index steps = 6;
    Index train_runs = 3000;
    bool active = false;
    bool prove = false;
    std::string model;
};

double cpu_seconds() {
    return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

void show_learned(Output& output, const LearnedProgram& learned) {
    output.add("train_runs", learned.num_traces);
    output.add("train_tokens", learned.num_tokens);
    output.add("d", learned.coefficients.d);
    output.add("psi", feature_dim(learned.coefficients.d));
    output.add("active_features", learned.active_features);
    output.add("classes",
               learned.classes,
               formatted("{} of features that agree up to sign", learned.classes));
    output.add("rank", learned.rank, formatted("{}, proved over Q", learned.rank));
    output.add("coefficients", learned.coefficients.entries.size());
    output.add("denominator", learned.coefficients.denominator);
    output.add("pivots", to_string(learned.order));
    output.add("primes", learned.primes);
}

void show_class(Output& output, const ExhaustReport& found, bool proved) {
    output.add("runs_total", found.runs_total);
    output.add("tokens_total", found.tokens_total);
    output.add("runs_certified", found.runs_certified);
    output.add("tokens_certified", found.tokens_certified);
    output.add("runs_exact", found.runs_exact);
    output.add("tokens_exact", found.tokens_exact);
    output.add("tokens_certified_but_wrong", found.tokens_certified_but_wrong);
    output.add("certified_over_z", proved, proved ? "every certified token" : "no; see --prove");
    output.add(
        "token_error_probability",
        std::ldexp(1.0, -kWordErrorBits),
        formatted("below 2^-{} a token, over the random words that judge it", kWordErrorBits));
}

/// The learned layer as a model file; `meta` names the rows of its tokens.
void write_learned(const std::string& path,
                   const Program& program,
                   const SparseCoefficients& coefficients) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (Index row = 0; row < program.schema.dim(); ++row) {
        rows.push_back(program.schema.row_name(row));
    }
    const nlohmann::ordered_json meta{{"program", program.name}, {"rows", rows}};
    const Index d = coefficients.d;
    write_model(path, {d, d, coefficient_matrix(coefficients), {d, d, {}}, json_text(meta)});
}

int exhaust_class(const ExhaustOptions& options, const CommonOptions& common) {
    const TuringClass machines(options.shape, options.steps);
    const Utm2 program(options.shape);
    const std::vector<Index> runs =
        machines.sample(options.train_runs, Stream(common.seed).child("turing_exhaust"));
    tell_beforehand("turing exhaust",
                    learning_seconds(program, options.train_runs, options.steps) / machine_speed());
    const double start = cpu_seconds();
    const Selection selection = options.active ? Selection::active : Selection::all;
    const LearnedProgram learned =
        told("turing exhaust", [&] { return learn_class(program, machines, runs, selection); });
    const double learning = cpu_seconds() - start;
    Output output;
    output.add("machines", machines.num_machines());
    output.add("runs_offered", runs.size());
    show_learned(output, learned);
    const SpanTest test = options.prove ? SpanTest::over_z : SpanTest::random_words;
    const ExhaustReport found = told("turing exhaust", [&] {
        return exhaust(learned, program, machines, common.threads, test);
    });
    show_class(output, found, options.prove);
    const double exhausting = cpu_seconds() - start - learning;
    if (!options.model.empty()) {
        write_learned(options.model, program.program(), learned.coefficients);
        output.add("model", options.model);
    }
    output.add("cpu_seconds_learning", learning, brief(learning));
    output.add("cpu_seconds_exhausting", exhausting, brief(exhausting));
    output.print(std::cout, common.json);
    return kHolds;
}

}  // namespace

void add_machine_options(CLI::App& app, MachineOptions& options) {
    app.add_option("machine",
                   options.machine,
                   "A name (attest turing list), bbchallenge notation, or a file with a table")
        ->required();
    app.add_option("--tape", options.tape, "Letters from the head on, or from cell 0 with --cells")
        ->each([&options](const std::string& /*word*/) { options.has_tape = true; });
    app.add_option("--steps", options.steps, "Budget of steps")
        ->check(integer_within(0, Index{1} << 40))
        ->capture_default_str();
    app.add_option("--cells", options.cells, "Cells of the tape; else as many as the run needs")
        ->check(integer_within(1, kMostCells));
    app.add_option("--head", options.head, "Cell the head starts on, with --cells");
}

TuringMachine read_machine(const MachineOptions& options) {
    const std::string& text = options.machine;
    if (find_named_machine(text) == nullptr && is_file(text)) {
        return machine_from_text(read_text_file(text) + "\n");
    }
    return machine_from_text(text);
}

TuringTape tape_of(const MachineOptions& options, const TuringMachine& machine) {
    const NamedMachine* const named = find_named_machine(options.machine);
    const std::string word =
        options.has_tape || named == nullptr ? options.tape : std::string(named->word);
    const std::vector<Index> letters = parse_word("tape", word, machine.symbols);
    if (options.cells == 0) {
        require(options.head == 0, "tape: --head needs --cells");
        return fitting_tape(machine, letters, options.steps, kMostCells);
    }
    return padded_tape(letters, options.cells, options.head);
}

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

Command add_turing_list(CLI::App& turing, CommonOptions& common) {
    CLI::App* app = turing.add_subcommand("list", "Machines that have a name");
    add_common(*app, common);
    add_examples(*app, "  attest turing list --json\n");
    return {app, [&common] { return list_machines(common); }};
}

Command add_turing_run(CLI::App& turing, CommonOptions& common) {
    const auto options = std::make_shared<RunOptions>();
    CLI::App* app = turing.add_subcommand(
        "run", "Run one machine by a plain simulator, by attention, or by learned attention");
    add_machine_options(*app, *options);
    app->add_option("--engine", options->engine, "Who runs it")
        ->check(CLI::IsMember({"simulator", "attention", "learned"}))
        ->capture_default_str();
    app->add_option("--train-runs", options->train_runs, "Random runs that `learned` learns from")
        ->check(integer_within(1, Index{1} << 40))
        ->capture_default_str();
    app->add_option("--train-steps", options->train_steps, "Budget of steps of these runs")
        ->check(integer_within(1, 1000))
        ->capture_default_str();
    app->add_flag("--trace", options->trace, "Print every step, or every token");
    add_common(*app, common);
    add_examples(*app,
                 "  attest turing run 1RB1LB_1LA1RZ --steps 200 --trace\n"
                 "  attest turing run bb4 --engine attention\n"
                 "  attest turing run increment --tape 1011 --engine learned\n");
    return {app, [options, &common] { return run_machine(*options, common); }};
}

Command add_turing_exhaust(CLI::App& turing, CommonOptions& common) {
    const auto options = std::make_shared<ExhaustOptions>();
    CLI::App* app = turing.add_subcommand("exhaust",
                                          "Learn the universal machine from random runs, then "
                                          "compare all runs of a class of machines");
    const auto size = integer_within(1, 1000);
    app->add_option("--states", options->shape.states, "Working states, all start in the first")
        ->check(size)
        ->capture_default_str();
    app->add_option("--halting", options->shape.halting, "Halting states")
        ->check(size)
        ->capture_default_str();
    app->add_option("--symbols", options->shape.symbols, "Symbols, the blank included")
        ->check(size)
        ->capture_default_str();
    app->add_option("--cells", options->shape.cells, "Cells of the tape")
        ->check(size)
        ->capture_default_str();
    app->add_option("--steps", options->steps, "Budget of steps of a run")
        ->check(size)
        ->capture_default_str();
    app->add_option("--train-runs", options->train_runs, "Different random runs to learn from")
        ->check(integer_within(1, Index{1} << 40))
        ->capture_default_str();
    app->add_flag("--active",
                  options->active,
                  "Of these runs, ask only for those that the earlier ones do not determine");
    app->add_option("--model", options->model, "Write the learned layer as a model (.npz)");
    app->add_flag("--prove", options->prove, "Verify every certified token over the integers");
    add_common(*app, common);
    add_examples(*app,
                 "  attest turing exhaust --states 2 --symbols 2 --cells 3 --steps 6 "
                 "--train-runs 3000 --json\n");
    return {app, [options, &common] { return exhaust_class(*options, common); }};
}

}  // namespace attest::cli
