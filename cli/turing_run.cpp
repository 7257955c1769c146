#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/turing.hpp"
#include "cli/turing_input.hpp"
#include "core/base/text.hpp"
#include "programs/language/program_text.hpp"
#include "programs/language/symbols.hpp"
#include "programs/learning/learned_run.hpp"
#include "programs/machines/named_machines.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <utility>

namespace attest::cli {

namespace {

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
    LearnedRun found = learned_run(machine,
                                   tape,
                                   {.train_runs = options.train_runs,
                                    .train_steps = options.train_steps,
                                    .most_steps = options.steps},
                                   Stream(common.seed).child("turing_run"));
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

}  // namespace

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

}  // namespace attest::cli
