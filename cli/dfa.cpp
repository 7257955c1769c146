#include "programs/machines/dfa.hpp"

#include "cli/commands.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/questions/output.hpp"
#include "programs/language/program_text.hpp"
#include "programs/language/token.hpp"
#include "programs/machines/weighted.hpp"

#include <algorithm>
#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct DfaOptions {
    std::string file;
    std::string word;
    std::string schema = "two-token";
    bool count = false;
    bool trace = false;
};

void show_size(Output& output, const Program& program) {
    output.add("d", program.schema.dim());
    output.add("heads", program.heads.size());
}

/// How many paths accept the word: attention beside a plain count.
int count_accepting(const DfaOptions& options, Output& output) {
    const Automaton automaton =
        parse_automaton(read_text_file(options.file), AutomatonKind::nondeterministic);
    const std::vector<Index> word = parse_word("word", options.word, automaton.letters);
    const WeightedAutomaton program({automaton.num_states(),
                                     automaton.num_letters(),
                                     std::max<Index>(1, static_cast<Index>(word.size()))});
    const std::vector<std::int64_t> paths =
        program.run(sparse_coefficients(program.program()), automaton, word);
    std::int64_t accepting = 0;
    for (const Index state : automaton.accepting) {
        accepting += paths.at(static_cast<std::size_t>(state));
    }
    const bool agrees = paths == count_paths(automaton, word).back();
    show_size(output, program.program());
    output.add("accepting_paths", accepting);
    output.add("agrees_with_simulator", agrees, agrees ? "yes" : "no");
    return agrees ? kHolds : kDoesNotHold;
}

int read_with_attention(const DfaOptions& options, Output& output) {
    const Automaton automaton =
        parse_automaton(read_text_file(options.file), AutomatonKind::deterministic);
    const std::vector<Index> word = parse_word("word", options.word, automaton.letters);
    const DfaShape shape{automaton.num_states(),
                         automaton.num_letters(),
                         std::max<Index>(1, static_cast<Index>(word.size()))};
    std::unique_ptr<DfaProgram> program;
    if (options.schema == "two-token") {
        program = std::make_unique<Dfa2>(shape);
    } else {
        program = std::make_unique<Dfa5>(shape);
    }
    const Trace expected = program->expected(automaton, word);
    const DfaRun run = program->run(sparse_coefficients(program->program()), automaton, word);
    const bool agrees =
        run.readable && run.trace == expected && run.result == read_word(automaton, word);
    show_size(output, program->program());
    output.add("ending", run.result.stuck ? "stuck" : "done");
    output.add("read", run.result.read, formatted("{} letters", run.result.read));
    output.add("state", automaton.states[static_cast<std::size_t>(run.result.state)]);
    const bool accepted = !run.result.stuck && automaton.accepts(run.result.state);
    output.add("accepted", accepted, accepted ? "yes" : "no");
    output.add("tokens", run.trace.generated.size());
    output.add("agrees_with_simulator", agrees, agrees ? "yes, token by token" : "no");
    if (options.trace) {
        nlohmann::ordered_json tokens = nlohmann::ordered_json::array();
        for (const Token& token : run.trace.generated) {
            tokens.push_back(token_text(token, program->program().schema));
            output.say(tokens.back().get<std::string>());
        }
        output.add_json("trace", tokens);
    }
    return agrees ? kHolds : kDoesNotHold;
}

int run_dfa(const DfaOptions& options, const CommonOptions& common) {
    Output output;
    output.add("automaton", options.file);
    const int code =
        options.count ? count_accepting(options, output) : read_with_attention(options, output);
    output.print(std::cout, common.json);
    return code;
}

}  // namespace

Command add_dfa(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<DfaOptions>();
    CLI::App* app = program.add_subcommand("dfa", "Finite automata as linear attention");
    app->require_subcommand(1);
    CLI::App* run = app->add_subcommand(
        "run", "Read a word by attention and compare with a plain simulator, token by token");
    run->add_option(
           "file", options->file, "Text: start STATE, accept STATE…, then lines STATE LETTER NEXT")
        ->required();
    run->add_option("--word", options->word, "Letters, separated by commas unless each is one sign")
        ->required();
    run->add_option("--schema", options->schema, "two-token, or five tokens a letter as the paper")
        ->check(CLI::IsMember({"two-token", "five-token"}))
        ->capture_default_str();
    run->add_flag("--count",
                  options->count,
                  "Count accepting paths; then a state may have several lines for a letter");
    run->add_flag("--trace", options->trace, "Print every token");
    add_common(*run, common);
    add_examples(*app,
                 "  attest dfa run parity.txt --word 1011 --trace\n"
                 "  attest dfa run nfa.txt --word abba --count\n");
    add_examples(*run, "  attest dfa run parity.txt --word 1011 --schema five-token\n");
    return {app, [options, &common] { return run_dfa(*options, common); }};
}

}  // namespace attest::cli
